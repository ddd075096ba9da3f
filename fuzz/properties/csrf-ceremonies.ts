import fc from 'fast-check'
import type { Sending } from '../world/browser.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { freshAddress, stored } from './support/outcome.ts'
import { ownWords, sayOwn, spoiltTokens } from './support/spoilt-csrf.ts'

const spoiling = fc.record({ token: fc.constantFrom(...Object.keys(spoiltTokens)), words: ownWords })

/** These fields, with a CSRF token that is none of this browser. */
function spoil(
  world: World,
  { token, words }: { readonly token: string; readonly words: readonly string[] },
  [right, foreign]: readonly [string, string],
  fields: Readonly<Record<string, string>>,
): Sending & { query: string } {
  const { form, json, headers, query = '' } = spoiltTokens[token]?.(right, foreign) ?? {}
  return {
    ...(form && { form: { ...form, ...fields } }),
    ...(json !== undefined && { json: { ...Object(json), ...fields } }),
    headers: { ...sayOwn(words, world.origin), ...headers },
    query,
  }
}

export const csrfCeremonyProperties: readonly Property[] = [
  property({
    proves: ['TX-18'],
    name: 'the button of a link signs nobody in without the token of its own browser',
    story:
      'A page of an attacker posts her own link in the name of a visitor, who then works in her account.',
    advice: 'Demand the token of whoever confirms a link, as of every other form.',
    setups: {
      database: { ...stored().database, provider: { mail: { confirm: true } } },
      jwt: { ...stored().jwt, provider: { mail: { confirm: true } } },
    },
    runs: 40,
    input: fc.record({ address: freshAddress, spoilt: spoiling }),
    async run(world, { address, spoilt }) {
      const { pathname, searchParams } = (await world.browser().askLink(address)).link
      const fields = { token: searchParams.get('token') ?? '', email: searchParams.get('email') ?? address }
      const browser = world.browser()
      const right = await browser.csrfToken()
      const { query, ...sending } = spoil(
        world,
        spoilt,
        [right, await world.browser('eve').csrfToken()],
        fields,
      )
      await browser.send(pathname + query, sending)
      const me = await browser.whoAmI()
      world.hold('TX-18', me === undefined, `a link was confirmed with ${spoilt.token}: ${me} is signed in`)
      await browser.send(pathname, { form: { csrfToken: await browser.csrfToken(), ...fields } })
      // Not every application has such a button.
      if ((await browser.whoAmI()) === address) world.reach('the right token confirms')
    },
  }),
]
