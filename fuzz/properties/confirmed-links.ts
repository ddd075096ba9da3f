import fc from 'fast-check'
import type { Browser } from '../world/browser.ts'
import { property, type Property } from './property.ts'
import { freshAddress, stored } from './support/outcome.ts'
import { ownWords, spoil, spoiltTokens } from './support/spoilt-csrf.ts'

/** What a script may send where a text belongs, around the right one. */
const wrappings: Readonly<Record<string, (right: string) => unknown>> = {
  'a list': (right) => [right],
  'a list of a list': (right) => [[right]],
  'a list of two': (right) => [right, right],
  'an object': (right) => ({ value: right }),
  'an object like a list': (right) => ({ 0: right, length: 1 }),
  'an object that is a text': (right) => ({ toString: right }),
  'a rule': () => ({ $ne: null }),
  nothing: () => null,
  'no member': () => undefined,
  'an empty text': () => '',
  'a blank text': () => ' \t ',
  true: () => true,
  'a number': () => 0,
}
const wrapping = fc.oneof(fc.constant('the text'), fc.constantFrom(...Object.keys(wrappings)))

/** Applications whose links have a page with a button first. */
const confirming = {
  database: { ...stored().database, provider: { mail: { confirm: true } } },
  jwt: { ...stored().jwt, provider: { mail: { confirm: true } } },
}

export const confirmedLinkProperties: readonly Property[] = [
  property({
    proves: ['SU-13'],
    name: 'a link that is confirmed with anything but two texts finds nobody',
    story: 'An attacker sends a list or an object where the token belongs, and the store takes it for "any".',
    advice: 'Take token and address from the body as texts, and anything else for a link without them.',
    setups: confirming,
    runs: 60,
    input: fc
      .record({ address: freshAddress, token: wrapping, email: wrapping })
      .filter(({ token, email }) => token !== 'the text' || email !== 'the text'),
    async run(world, { address, token, email }) {
      const mail = await world.browser().askLink(address)
      const { pathname, searchParams } = mail.link
      const right = { token: searchParams.get('token') ?? '', email: searchParams.get('email') ?? address }
      const as = (how: string, right: string) =>
        wrappings[how]?.(right) ?? (how === 'the text' ? right : null)
      const confirm = async (browser: Browser, parts: object) => {
        const csrfToken = await browser.csrfToken()
        await browser.send(pathname, { json: { csrfToken, ...parts } })
        return browser.whoAmI()
      }
      const parts = { token: as(token, right.token), email: as(email, right.email) }
      const me = await confirm(world.browser('eve'), parts)
      world.hold(
        'SU-13',
        me === undefined,
        `a link with ${token} for a token and ${email} for an address signed in`,
      )
      // Not every application has such a button.
      if ((await confirm(world.browser(), right)) === address) world.reach('texts are confirmed')
    },
  }),

  property({
    proves: ['TX-18'],
    name: 'the button of a link signs nobody in without the token of its own browser',
    story:
      'A page of an attacker posts her own link in the name of a visitor, who then works in her account.',
    advice: 'Demand the token of whoever confirms a link, as of every other form.',
    setups: confirming,
    runs: 40,
    input: fc.record({
      address: freshAddress,
      spoilt: fc.record({ token: fc.constantFrom(...Object.keys(spoiltTokens)), words: ownWords }),
    }),
    async run(world, { address, spoilt }) {
      const { pathname, searchParams } = (await world.browser().askLink(address)).link
      const fields = { token: searchParams.get('token') ?? '', email: searchParams.get('email') ?? address }
      const browser = world.browser()
      const right = await browser.csrfToken()
      const { query, ...sending } = spoil(
        world.origin,
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
