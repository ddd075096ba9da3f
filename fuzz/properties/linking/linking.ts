import fc from 'fast-check'
import { eachOf } from '../../arbitraries/every-of.ts'
import type { IdpUser } from '../../world/idp/contract.ts'
import { property, type Property } from '../property.ts'
import { consentAs, weighLink, withAccounts } from '../support/identities.ts'
import { isRefusal, stored, touchesSession } from '../support/outcome.ts'

/** Ada's mailbox, as an attacker's accounts claim it. */
const victim = 'ada@mail.example'
const verdicts = {
  missing: undefined,
  no: false,
  yes: true,
  'yes as text': 'true',
  'no as text': 'false',
  'no as a number': 0,
  'no as a digit': '0',
  'no as a word': 'no',
  'no as null': null,
  'no as an empty string': '',
  'no as an object': {},
} as const
const denials = Object.keys(verdicts).filter((verdict) => verdict.startsWith('no'))
const impostors: readonly IdpUser[] = Object.entries(verdicts).map(([name, verdict]) => ({
  sub: `impostor-${name}`,
  claims: { name: 'eve', email: victim, ...(verdict !== undefined && { email_verified: verdict }) },
}))
/** Eve's accounts, after she changed their address to Ada's. */
const moved: readonly IdpUser[] = ['alpha', 'plain'].flatMap((provider) =>
  [true, false].map((verified) => ({
    sub: `moved-${provider}-${verified}`,
    claims: { sub: `eve-at-${provider}`, name: 'eve', email: victim, email_verified: verified },
  })),
)
const idp = withAccounts([...impostors, ...moved])
const remote = fc.constantFrom('alpha' as const, 'plain' as const)
const dangerous = { allowDangerousEmailAccountLinking: true }

export const linkingProperties: readonly Property[] = [
  property({
    proves: ['AL-01', 'AL-09'],
    name: 'does not link an account to a user just because it claims the same address',
    story:
      'An attacker opens an account with a victim’s address at some provider, and signs in as the victim.',
    advice:
      'Refuse an unknown account whose address belongs to a user, unless the application enabled linking.',
    needs: ['store'],
    setups: stored({ idp }),
    runs: 40,
    input: fc.record({
      provider: remote,
      verdict: fc.constantFrom('missing', 'no', 'yes', 'no as text'),
      owner: fc.constantFrom('mail' as const, 'beta' as const),
    }),
    async run(world, { provider, verdict, owner }) {
      const { ada } = world.people
      await world.browser('ada').signIn('mail', ada)
      if (owner === 'beta') await world.browser('ada').signIn('beta', ada)
      const before = JSON.stringify([world.rows.users, world.rows.accounts])
      const attacker = world.browser('eve')
      await attacker.arrive(await consentAs(world, attacker, provider, `impostor-${verdict}`))
      const after = JSON.stringify([world.rows.users, world.rows.accounts])
      const gain = await weighLink(world, attacker, provider)
      const says = `an account (verified: ${verdict}) was linked, or changed a user`
      world.check('AL-01', before === after, says, gain)
      const isIn = (await attacker.whoAmI()) !== undefined
      world.check('AL-09', !isIn, `a claimed address (verified: ${verdict}) opened a session`, gain)
      await world.browser('ada').signIn('mail', ada)
    },
  }),

  property({
    proves: ['AL-01', 'AL-09', 'DEC-19b'],
    name: 'does not link by an address that the provider says is unverified',
    story: 'An attacker claims a victim’s address at a provider that says nobody verified it.',
    advice:
      'If email_verified is present, accept only true, including as a string, whatever the options say.',
    needs: ['store'],
    setups: stored({ idp, provider: { alpha: dangerous, plain: dangerous } }),
    runs: 40,
    reaches: { linked: 3 },
    input: fc.record({
      provider: remote,
      verdict: fc.constantFrom(...denials, 'yes', 'yes as text', 'missing'),
    }),
    async run(world, { provider, verdict }) {
      const { ada } = world.people
      await world.browser('ada').signIn('mail', ada)
      const browser = world.browser('eve')
      const arrival = await consentAs(world, browser, provider, `impostor-${verdict}`)
      const isDenied = denials.includes(verdict)
      // With this option, the claim is a proof.
      if (!isDenied) world.prove(browser, ada, provider)
      await browser.arrive(arrival)
      if (!isDenied) {
        const says = `an account (verified: ${verdict}) was not linked, although the option allows it`
        world.check('DEC-19b', world.rows.accounts.length > 0, says, { observed: 'a broken rule' })
        world.reach('linked')
        return
      }
      const linked = world.rows.accounts.length
      const gain = await weighLink(world, browser, provider)
      world.check('AL-01', linked === 0, `an account (verified: ${verdict}) was linked`, gain)
      const isIn = (await browser.whoAmI()) !== undefined
      world.check('AL-09', !isIn, 'a denied address opened a session', gain)
    },
  }),

  property({
    proves: ['AL-05'],
    name: 'leaves the current session unchanged when the account belongs to another user',
    story: 'A sign-in on a shared machine silently switches users, or moves an account to another user.',
    advice: 'Refuse, and leave rows, session and cookie unchanged.',
    setups: stored(),
    runs: 30,
    input: fc.record({ provider: fc.constantFrom('alpha' as const, 'beta' as const, 'plain' as const) }),
    async run(world, { provider }) {
      const { ada, bob } = world.people
      await world.browser('ada').signIn(provider, ada)
      const browser = world.browser('bob')
      await browser.signIn('mail', bob)
      const arrival = await browser.visit(provider, ada)
      const isSeen = world.features.has('store')
      const before = isSeen ? JSON.stringify(world.rows) : ''
      const reply = await browser.arrive(arrival)
      const after = isSeen ? JSON.stringify(world.rows) : ''
      world.check('AL-05', isRefusal(reply), 'the sign-in was not refused')
      world.check('AL-05', before === after, 'rows were changed')
      world.check('AL-05', !touchesSession(reply), 'the session cookie was changed')
      const me = await browser.whoAmI()
      world.check('AL-05', me === 'bob', `the browser of bob is now signed in as ${me ?? 'nobody'}`)
      await world.browser('ada').signIn(provider, ada)
    },
  }),

  property({
    proves: ['AL-06'],
    name: 'merges no users when the address of an account changes',
    story: 'An attacker changes the address of their account to a victim’s, and signs in again.',
    advice: 'Identify a returning account only by provider and subject.',
    needs: ['store'],
    setups: stored({ idp }),
    runs: 30,
    input: fc.record({ provider: remote, isVerified: fc.boolean(), isVictimThere: fc.boolean() }),
    async run(world, { provider, isVerified, isVictimThere }) {
      const { ada, eve } = world.people
      const attacker = world.browser('eve')
      if (isVictimThere) await world.browser('ada').signIn('mail', ada)
      await attacker.signIn(provider, eve)
      const look = () =>
        JSON.stringify([
          world.rows.users.map(({ id, email }) => [id, email]),
          world.rows.accounts.map((row) => [row.userId, row.provider, row.providerAccountId]),
        ])
      const before = look()
      const again = world.browser('eve')
      const reply = await again.arrive(
        await consentAs(world, again, provider, `moved-${provider}-${isVerified}`),
      )
      world.check('AL-06', before === look() || !isVictimThere, 'users or accounts were changed')
      const isEves = world.rows.accounts.every(({ userId }) => userId === world.rows.accounts[0]?.userId)
      world.check(
        'AL-06',
        isEves && world.rows.accounts.length === 1,
        'the account now belongs to another user',
      )
      world.assume(!isRefusal(reply), 'the account cannot sign in again')
      const holder = world.rows.sessions.at(-1)?.userId
      world.check(
        'AL-06',
        world.strategy === 'jwt' || holder === world.rows.accounts[0]?.userId,
        'the account now signs in another user',
        { observed: 'another user' },
      )
      await world.browser('ada').signIn('mail', ada)
    },
  }),

  property({
    proves: ['AL-06'],
    name: 'gives a user no address that the provider reports later and says is unverified',
    story:
      'Eve enters the address of a victim at her provider, and signs in again. Her session shows that address, and the victim who signs in by mail gets her user.',
    advice: 'Keep the address with which a user registered. Replace it only with one that is verified.',
    needs: ['store'],
    setups: stored({ idp }),
    runs: 4,
    ...eachOf(['alpha', 'plain'] as const),
    async run(world, provider) {
      const { ada, eve } = world.people
      await world.browser('eve').signIn(provider, eve)
      const [before] = world.rows.users
      const again = world.browser('eve')
      world.prove(again, eve, provider)
      await again.arrive(await consentAs(world, again, provider, `moved-${provider}-false`))
      const gain = await weighLink(world, again, provider)
      const isAdas = gain.observed === 'another user'
      world.check(
        'AL-06',
        !isAdas,
        'the session of eve shows the address of ada, which nobody verified',
        gain,
      )
      world.assume((await again.whoAmI()) !== undefined, 'the account cannot sign in again')
      const [after] = world.rows.users
      const isKept = before?.email === after?.email
      world.check('AL-06', isKept, 'the user of eve got the address of ada, which nobody verified', gain)
      await world.browser('ada').signIn('mail', ada)
      const isOwn = world.rows.users.length === 2
      world.check('AL-06', isOwn, 'ada signs in by mail as the user of eve', { observed: 'another user' })
    },
  }),
]
