import fc from 'fast-check'
import type { Sending } from '../world/browser.ts'
import { answerTo, demandOptions, enrol, openDevice, signInWith } from '../world/passkeys.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { freshAddress, stored } from './support/outcome.ts'
import { holdNobody, seeRows, withPasskeys } from './support/passkeys.ts'
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

  property({
    proves: ['TX-18'],
    name: 'the answer of a passkey signs nobody in without the token of its own browser',
    story: 'What an authenticator signed for one page is posted by another one.',
    advice: 'Demand the token beside the answer, as of every other form.',
    needs: ['passkey'],
    setups: { passkeys: withPasskeys },
    runs: 40,
    input: fc.record({
      action: fc.constantFrom('authenticate' as const, 'register' as const),
      spoilt: spoiling,
    }),
    async run(world, { action, spoilt }) {
      const { ada, bob } = world.people
      const device = openDevice(world, ada)
      await enrol(world, world.browser('ada'), device)
      const browser = world.browser()
      const right = await browser.csrfToken()
      const foreign = await world.browser('eve').csrfToken()
      const asked = action === 'register' ? { action, email: bob.address.passkey } : { action }
      const options = await demandOptions(world, browser, action, asked)
      const answer = answerTo(action === 'register' ? openDevice(world, bob) : device, action, options)
      const fields = { action, data: JSON.stringify(answer) }
      const { query, ...sending } = spoil(world, spoilt, [right, foreign], fields)
      const before = seeRows(world)
      await browser.send(`${world.basePath}/callback/${world.idOf('passkey')}${query}`, sending)
      await holdNobody(world, 'TX-18', browser, before, `an answer to ${action} came with ${spoilt.token}`)
      await signInWith(world, world.browser('ada'), device)
      world.reach(action)
    },
  }),
]
