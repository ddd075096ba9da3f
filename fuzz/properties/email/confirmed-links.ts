import fc from 'fast-check'
import type { Browser } from '../../world/browser.ts'
import { readForms } from '../../world/forms.ts'
import { property, type Property } from '../property.ts'
import { freshAddress, stored } from '../support/outcome.ts'
import { ownHeaderNames, buildInvalidForm, invalidTokens } from '../support/invalid-csrf.ts'

/** Values that a script may send instead of the right string. */
const wrappings: Readonly<Record<string, (right: string) => unknown>> = {
  'a list': (right) => [right],
  'a nested list': (right) => [[right]],
  'a list with two elements': (right) => [right, right],
  'an object': (right) => ({ value: right }),
  'an array-like object': (right) => ({ 0: right, length: 1 }),
  'an object with toString': (right) => ({ toString: right }),
  'a query operator': () => ({ $ne: null }),
  nothing: () => null,
  'no member': () => undefined,
  'an empty string': () => '',
  'a blank string': () => ' \t ',
  true: () => true,
  'a number': () => 0,
}
const wrapping = fc.oneof(fc.constant('the string'), fc.constantFrom(...Object.keys(wrappings)))

/** Applications that ask to confirm a link with a button. */
const confirming = {
  database: { ...stored().database, provider: { mail: { confirm: true } } },
  jwt: { ...stored().jwt, provider: { mail: { confirm: true } } },
}

export const confirmedLinkProperties: readonly Property[] = [
  property({
    proves: ['SU-13'],
    name: 'refuses a confirmed link whose token or address is not a string',
    story: 'An attacker sends an array or an object as the token, and the store treats it as "any".',
    advice: 'Accept only strings for token and address, and treat anything else as a missing value.',
    setups: confirming,
    runs: 60,
    input: fc
      .record({ address: freshAddress, token: wrapping, email: wrapping })
      .filter(({ token, email }) => token !== 'the string' || email !== 'the string'),
    async run(world, { address, token, email }) {
      const mail = await world.browser().requestLink(address)
      const { pathname, searchParams } = mail.link
      const right = { token: searchParams.get('token') ?? '', email: searchParams.get('email') ?? address }
      const as = (how: string, right: string) =>
        wrappings[how]?.(right) ?? (how === 'the string' ? right : null)
      const confirm = async (browser: Browser, parts: object) => {
        const csrfToken = await browser.csrfToken()
        await browser.send(pathname, { json: { csrfToken, ...parts } })
        return browser.whoAmI()
      }
      const parts = { token: as(token, right.token), email: as(email, right.email) }
      const me = await confirm(world.browser('eve'), parts)
      world.check(
        'SU-13',
        me === undefined,
        `a link with ${token} as token and ${email} as address signed in`,
      )
      // Not every application has such a button.
      if ((await confirm(world.browser(), right)) === address) world.reach('strings are accepted')
    },
  }),

  property({
    proves: ['TX-18'],
    name: 'requires the browser’s own CSRF token to confirm a link',
    story:
      'A page posts the attacker’s link from a visitor’s browser, and the visitor works in the attacker’s account.',
    advice: 'Require the CSRF token for confirming a link, as for every other form.',
    setups: confirming,
    runs: 40,
    input: fc.record({
      address: freshAddress,
      invalid: fc.record({ token: fc.constantFrom(...Object.keys(invalidTokens)), words: ownHeaderNames }),
    }),
    async run(world, { address, invalid }) {
      const { pathname, searchParams } = (await world.browser().requestLink(address)).link
      const fields = { token: searchParams.get('token') ?? '', email: searchParams.get('email') ?? address }
      const browser = world.browser()
      const right = await browser.csrfToken()
      const { query, ...sending } = buildInvalidForm(
        world.origin,
        invalid,
        [right, await world.browser('eve').csrfToken()],
        fields,
      )
      await browser.send(pathname + query, sending)
      const me = await browser.whoAmI()
      world.check('TX-18', me === undefined, `a link was confirmed with ${invalid.token}: ${me} is signed in`)
      await browser.send(pathname, { form: { csrfToken: await browser.csrfToken(), ...fields } })
      // Not every application has such a button.
      if ((await browser.whoAmI()) === address) world.reach('the right token confirms')
    },
  }),

  property({
    proves: ['EM-04'],
    name: 'names the address that a link signs in, however the link writes it',
    story: 'A page asks to confirm one spelling of an address, and the button signs in another.',
    advice: 'Show and submit the normalised address, not the parameter of the link.',
    setups: confirming,
    runs: 30,
    reaches: { 'a button': 2 },
    input: fc.record({
      address: freshAddress,
      write: fc.constantFrom(
        (text: string) => text.toUpperCase(),
        (text: string) => text.replace('example', 'EXAMPLE'),
        (text: string) => text.replaceAll('a', '\uff41').replace('mail', 'Mail'),
      ),
    }),
    async run(world, { address, write }) {
      const { to, link } = await world.browser().requestLink(address)
      const written = new URL(link)
      written.searchParams.set('email', write(address))
      const page = await world.browser().openLink({ to, link: written })
      world.check(
        'EM-04',
        !page.text.includes(write(address)),
        `the page for ${address} names ${write(address)}`,
      )
      const form = readForms(page.text).find(({ fields }) => fields['token'] !== undefined)
      if (!form) return
      world.reach('a button')
      world.check('EM-04', page.text.includes(address), `the page does not name ${address}`)
    },
  }),
]
