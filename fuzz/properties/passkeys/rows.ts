import fc from 'fast-check'
import { returning, garbage, type Fault } from '../../world/fault-plan.ts'
import {
  addDevice,
  answerTo,
  requestOptions,
  requireOptions,
  generateId,
  enrol,
  openDevice,
  perform,
  postAnswer,
  signInWith,
} from '../../world/passkeys.ts'
import { property, type Property } from '../property.ts'
import { isRefusal } from '../support/outcome.ts'
import { passkeysAndSessions } from '../support/passkeys.ts'
import { refuses } from '../support/sessions.ts'

/** A fault that changes a member of an authenticator's row. */
const rowWith = (name: string, members: Readonly<Record<string, unknown>>): Fault =>
  returning(`a row with ${name}`, (row) => row && { ...Object(row), ...members })

/** Rows that verify no authenticator. */
const brokenRows: readonly Fault[] = [
  rowWith('NaN as counter', { counter: Number.NaN }),
  rowWith('null as counter', { counter: null }),
  rowWith('no counter', { counter: undefined }),
  rowWith('a string as counter', { counter: 'many' }),
  rowWith('a list as counter', { counter: [] }),
  rowWith('an object as counter', { counter: {} }),
  rowWith('no key', { credentialPublicKey: undefined }),
  rowWith('an empty key', { credentialPublicKey: '' }),
  rowWith('an object as key', { credentialPublicKey: {} }),
  rowWith('an invalid key', { credentialPublicKey: '%%%' }),
  rowWith('another key', { credentialPublicKey: Buffer.alloc(77, 7).toString('base64') }),
  rowWith('no user', { userId: undefined }),
  rowWith('null as user', { userId: null }),
  rowWith('no account', { providerAccountId: undefined }),
  ...garbage.filter(({ name }) => !/date|without an id|empty id/.test(name)),
]

/** Invalid lists of authenticators. */
const brokenLists: readonly Fault[] = [
  returning('null', () => null),
  returning('undefined', () => undefined),
  returning('an object', () => ({})),
  returning('a string', () => 'rows'),
  returning('a number', () => 1),
  returning('true', () => true),
  returning('a row instead of the list', (rows) => (Array.isArray(rows) ? (rows[0] as unknown) : rows)),
  returning('a list of nulls', () => [null]),
  returning('a list of empty rows', () => [{}]),
  returning('a nested list', (rows) => [rows]),
]

export const webauthnRowProperties: readonly Property[] = [
  property({
    proves: ['FI-03'],
    name: 'rejects an authenticator whose stored row is invalid',
    story:
      'A migration leaves rows without a counter, or with a truncated key, and any response is accepted.',
    advice: 'Check every member of the row before you use it. A counter is an integer.',
    needs: ['passkey', 'faults', 'store'],
    setups: passkeysAndSessions,
    runs: 10,
    reaches: { broken: 80 },
    input: fc.record({
      faults: fc.shuffledSubarray([...brokenRows], { minLength: brokenRows.length - 4 }),
      counts: fc.boolean(),
    }),
    async run(world, { faults, counts }) {
      const { ada } = world.people
      const device = openDevice(world, ada, { counts })
      await enrol(world, world.browser('ada'), device)
      for (const fault of faults) {
        const browser = world.browser('ada')
        world.prove(browser, ada, 'passkey')
        const options = await requireOptions(world, browser, 'authenticate', { action: 'authenticate' })
        const answer = answerTo(device, 'authenticate', options)
        world.plan.arm('store.getAuthenticator', 0, fault)
        const reply = await postAnswer(world, browser, 'authenticate', answer)
        const isMet = world.plan.calls.length > 0
        world.plan.arm('none')
        world.assume(isMet, 'no authenticator is looked up')
        world.reach('broken')
        const what = `signing in, when getAuthenticator ${fault.name}`
        world.check('FI-03', reply.failure === undefined, `${what}: ${reply.failure ?? ''}`)
        world.check('FI-03', isRefusal(reply), `${what}, reports success`)
        const me = await browser.whoAmI()
        world.check('FI-03', me === undefined, `${what}: ${me ?? 'nobody'} is signed in`)
      }
      await signInWith(world, world.browser('ada'), device)
    },
  }),
  property({
    proves: ['FI-03'],
    name: 'refuses to build options from an invalid list of authenticators',
    story:
      'The store returns an invalid list of a user’s devices, the application offers none, and accepts any device.',
    advice: 'Require an array of complete rows.',
    needs: ['passkey', 'faults'],
    setups: passkeysAndSessions,
    runs: 8,
    reaches: { broken: 30 },
    input: fc.record({
      faults: fc.shuffledSubarray([...brokenLists], { minLength: brokenLists.length - 3 }),
      action: fc.constantFrom('authenticate', 'register'),
    }),
    async run(world, { faults, action }) {
      const browser = world.browser('ada')
      await enrol(world, browser, openDevice(world, world.people.ada))
      for (const fault of faults) {
        world.plan.arm('store.listAuthenticatorsByUserId', 0, fault)
        const { reply } = await requestOptions(world, browser, { action })
        const isMet = world.plan.calls.length > 0
        world.plan.arm('none')
        if (!isMet) continue
        world.reach('broken')
        const what = `requesting options to ${action}, when listAuthenticatorsByUserId ${fault.name}`
        world.check('FI-03', reply.failure === undefined, `${what}: ${reply.failure ?? ''}`)
        world.check('FI-03', refuses(reply), `${what}, returns ${reply.text.slice(0, 80)}`)
      }
      const offer = await requestOptions(world, browser, { action })
      world.assume(offer.action === action, `the application returns no more options to ${action}`)
    },
  }),
  property({
    proves: ['FI-03'],
    name: 'rejects a stored row of another credential',
    story:
      'A store compares ids without case, or returns its first row. An attacker names a victim’s credential, and signs with their own.',
    advice: 'Compare the row’s id with the responding one, byte by byte.',
    needs: ['passkey', 'faults', 'store'],
    setups: passkeysAndSessions,
    runs: 20,
    reaches: { 'of a victim': 1, unknown: 1 },
    input: fc.record({ whose: fc.constantFrom('of a victim', 'unknown'), counts: fc.boolean() }),
    async run(world, { whose, counts }) {
      const { ada, eve } = world.people
      const [adas, eves] = [openDevice(world, ada, { counts }), openDevice(world, eve, { counts })]
      await enrol(world, world.browser('ada'), adas)
      await enrol(world, world.browser('eve'), eves)
      const id = whose === 'unknown' ? generateId() : (adas.authenticator.held[0]?.id ?? '')
      const browser = world.browser('eve')
      world.prove(browser, eve, 'passkey')
      const options = await requireOptions(world, browser, 'authenticate', { action: 'authenticate' })
      const answer = answerTo(eves, 'authenticate', options, { id })
      const own = world.rows.credentials.find(({ userId }) => userId === userOf(eve.address.passkey))
      const look = () => JSON.stringify(world.rows.credentials)
      const before = look()
      world.plan.arm(
        'store.getAuthenticator',
        0,
        returning('another row', () => ({ ...own })),
      )
      await postAnswer(world, browser, 'authenticate', answer)
      world.plan.arm('none')
      world.reach(whose)
      const me = await browser.whoAmI()
      const what = `eve responded with the credential ${whose}, for which the store returned her own row`
      world.check('FI-03', me === undefined, `${what}: ${me ?? 'nobody'} is signed in`)
      world.check('FI-03', before === look(), `${what}: a counter was changed`)
      await signInWith(world, world.browser('ada'), adas)

      function userOf(address: string) {
        return world.rows.users.find(({ email, name }) => email === address || name === address)?.id
      }
    },
  }),
  property({
    proves: ['WA-07'],
    name: 'rejects a credential whose rows belong to two users',
    story:
      'An administrator moves an account to another user without its keys, and the old keys sign in as that user.',
    advice: 'Compare the user of the account with the user of the authenticator.',
    needs: ['passkey', 'store'],
    setups: passkeysAndSessions,
    runs: 20,
    reaches: { accounts: 1, credentials: 1 },
    input: fc.record({
      moved: fc.constantFrom('accounts' as const, 'credentials' as const),
      counts: fc.boolean(),
      hasOwn: fc.boolean(),
    }),
    async run(world, { moved, counts, hasOwn }) {
      const { ada, bob } = world.people
      const device = openDevice(world, ada, { counts })
      const [owner, other] = [world.browser('ada'), world.browser('bob')]
      await owner.signIn('mail', ada)
      await addDevice(world, owner, device)
      await other.signIn('mail', bob)
      if (hasOwn) await addDevice(world, other, openDevice(world, bob))
      await signInWith(world, world.browser('ada'), device)
      const userId = world.rows.users.find(({ email }) => email === bob.address.mail)?.id ?? ''
      const [row] = world.rows[moved]
      if (row) Object.assign(row, { userId })
      world.reach(moved)
      const browser = world.browser('ada')
      for (const person of [ada, bob]) world.prove(browser, person, 'passkey')
      await perform(world, browser, device, 'authenticate')
      const me = await browser.whoAmI()
      const holder = moved === 'accounts' ? 'ada' : 'bob'
      const isOwner = me === undefined || me === holder
      world.check('WA-07', isOwner, `a credential of ${holder} opened a session of ${me ?? 'nobody'}`)
    },
  }),
]
