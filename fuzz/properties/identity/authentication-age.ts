import fc from 'fast-check'
import { property, type Property } from '../property.ts'
import { consentTo } from '../support/consent.ts'
import { withAccounts } from '../support/identities.ts'
import { checkUnchanged, takeSnapshot } from '../support/snapshot.ts'

/** Accounts whose id_tokens tell another moment of authentication than now. */
const accounts = withAccounts([
  { sub: 'long ago', claims: { name: 'eve', email: 'eve@alpha.example', auth_time: 1 } },
  { sub: 'untold', claims: { name: 'eve', email: 'eve@alpha.example', auth_time: undefined } },
  { sub: 'in words', claims: { name: 'eve', email: 'eve@alpha.example', auth_time: 'now' } },
])

const params = { scope: 'openid profile email', max_age: 60 }

export const authenticationAgeProperties: readonly Property[] = [
  property({
    proves: ['OI-25'],
    name: 'demands an authentication as recent as max_age',
    story: 'A site demands a fresh sign-in before a payment, and an old one at the provider suffices.',
    advice:
      'Pass the max_age that was sent to the validation of the id_token, and keep it from being raised.',
    setups: {
      configured: { provider: { alpha: { authorization: { params } } }, idp: { alpha: accounts.alpha } },
    },
    runs: 60,
    reaches: { recent: 3, 'not recent': 3 },
    input: fc.record({
      sub: fc.constantFrom('ada-at-alpha', 'long ago', 'untold', 'in words'),
      requested: fc.constantFrom(undefined, '0', '10', '3600', '999999999', 'soon'),
    }),
    async run(world, { sub, requested }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const csrfToken = await browser.csrfToken()
      const query = requested === undefined ? '' : `?max_age=${requested}`
      const path = `${world.basePath}/signin/${world.idOf('alpha') ?? ''}${query}`
      const { location } = await browser.send(path, { form: { csrfToken } })
      const sent = location?.searchParams.get('max_age') ?? undefined
      const isKept = sent !== undefined && Number(sent) <= params.max_age
      world.check('OI-25', isKept, `max_age is ${sent}, and ${requested} was requested`)
      const before = await takeSnapshot(world, browser)
      world.prove(browser, ada, 'alpha')
      await browser.arrive(await consentTo(world, 'alpha', location ?? new URL(world.origin), sub))
      if (sub === 'ada-at-alpha') {
        world.reach('recent')
        return world.assume((await browser.whoAmI()) === ada.name, 'a recent authentication signs nobody in')
      }
      world.reach('not recent')
      await checkUnchanged(world, 'OI-25', browser, before, `auth_time is ${sub}, and max_age was ${sent}`)
    },
  }),
]
