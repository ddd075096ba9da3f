/** A start tag of a page. */
export interface Tag {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

/** A form of a page, as a browser would send it. */
export interface Form {
  readonly method: string
  readonly action: string
  /** What its inputs hold already. */
  readonly fields: Readonly<Record<string, string>>
}

const startTag =
  /<([a-z][a-z0-9-]*)((?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*\/?>/gi
const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

/** The start tags of a page, in order. */
export function tagsOf(html: string): readonly Tag[] {
  return [...html.matchAll(startTag)].map(([, name = '', attributes = '']) => ({
    name: name.toLowerCase(),
    attributes: Object.fromEntries(
      [...attributes.matchAll(attribute)].map(([, key = '', ...values]) => [
        key.toLowerCase(),
        unescapeHtml(values.find((value) => value !== undefined) ?? ''),
      ]),
    ),
  }))
}

/** The forms of a page. */
export function formsOf(html: string): readonly Form[] {
  const forms: { method: string; action: string; fields: Record<string, string> }[] = []
  for (const { name, attributes } of tagsOf(html)) {
    const { method = 'get', action = '', value = '' } = attributes
    if (name === 'form') forms.push({ method: method.toUpperCase(), action, fields: {} })
    const form = forms.at(-1)
    if (form && name === 'input' && attributes.name) form.fields[attributes.name] = value
  }
  return forms
}

function unescapeHtml(text: string): string {
  return text.replaceAll(/&(#x?[0-9a-f]+|[a-z]+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? whole
    const isHex = name[1]?.toLowerCase() === 'x'
    return String.fromCodePoint(Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10))
  })
}
