import type { Reply } from '../../world/reply.ts'

/**
 * A text of an attacker that becomes active wherever a page does not encode it for its place: as the target of a link, in an
 * attribute, and as markup. It closes an attribute, a title, a text area and a script.
 */
export const activeText =
  'javascript:canaryscript()//canaryquote"\' onfocus=canaryscript x></title></textarea></script><img src=canarymarkup>'

const places = {
  markup: /<img[ /]src=canarymarkup>/i,
  'the target of a link':
    /<(?!img\b)[a-z][^<>]*\s(?:href|src|action|formaction|data)\s*=\s*["']?\s*javascript:canaryscript/i,
  // A value may leave its quotes even if the page escapes the quotes of the other kind.
  'an attribute': new RegExp(
    [
      `="[^"<>]*canaryquote"(?:'|&#0*39;|&#x27;|&apos;)? onfocus=canaryscript`,
      `='[^'<>]*canaryquote(?:"|&#0*34;|&#x22;|&quot;)?' onfocus=canaryscript`,
      String.raw`=[^\s"'<>]*canaryquote\S* onfocus=canaryscript`,
    ]
      .map((each) => `<[a-z][^<>]*${each}`)
      .join('|'),
    'i',
  ),
} as const

/** Tells as what a page shows the text, if it is active there. */
export function findActive({ text, headers }: Reply): string | undefined {
  if (!/html|xml|^$/.test(headers.get('content-type') ?? '')) return undefined
  return Object.entries(places).find(([, pattern]) => pattern.test(text))?.[0]
}
