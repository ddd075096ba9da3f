import fc from 'fast-check'
import { everyOf } from '../../arbitraries/every-of.ts'
import {
  addDevice,
  answerTo,
  requireOptions,
  enrol,
  openDevice,
  perform,
  postAnswer,
  signInWith,
} from '../../world/passkeys.ts'
import { createStore } from '../../world/store.ts'
import { property, type Property } from '../property.ts'
import { isFault, isRefusal } from '../support/outcome.ts'
import { passkeySetup, passkeysAndSessions } from '../support/passkeys.ts'

/** The rows of the credential in the store, by the input of a case. */
const held = {
  both: 'whose account and authenticator the store has',
  account: 'whose account the store has',
  authenticator: 'whose authenticator the store has',
} as const

export const webauthnKnownProperties: readonly Property[] = [
  property({
    proves: ['WA-06'],
    name: 'neither registers a known credential again nor signs in with it',
    story: 'Credential ids are not secret: an attacker registers a victim’s id with their own key.',
    advice: 'Before you store anything, refuse an id that any authenticator or account has.',
    needs: ['passkey', 'store'],
    setups: passkeysAndSessions,
    runs: 40,
    reaches: { newcomer: 1, 'signed in': 1 },
    input: fc.record({
      who: fc.constantFrom('newcomer', 'signed in'),
      known: fc.constantFrom('both', 'account', 'authenticator'),
    }),
    async run(world, { who, known }) {
      const { ada, eve } = world.people
      const [adas, eves] = [openDevice(world, ada), openDevice(world, eve)]
      await enrol(world, world.browser('ada'), adas)
      const id = adas.authenticator.held[0]?.id ?? ''
      const kept = { accounts: world.rows.accounts, credentials: world.rows.credentials }
      if (known === 'account') world.rows.credentials = []
      if (known === 'authenticator') world.rows.accounts = []
      const browser = world.browser('eve')
      if (who === 'signed in') await browser.signIn('mail', eve)
      world.reach(who)
      // If a row was missing before, further rows of the attempt are harmless unless they allow a sign-in.
      const look = () =>
        JSON.stringify([world.rows.credentials, ...(known === 'both' ? [world.rows.accounts] : [])])
      const before = look()
      const fields = { action: 'register', ...(who === 'newcomer' && { email: eve.address.passkey }) }
      const options = await requireOptions(world, browser, 'register', fields)
      world.prove(browser, eve, 'passkey')
      const reply = await postAnswer(world, browser, 'register', answerTo(eves, 'register', options, { id }))
      const says = `eve registers the id of ada’s credential, ${held[known]}`
      world.check('WA-06', before === look(), `${says}: rows were changed`)
      const me = await browser.whoAmI()
      const expected = who === 'signed in' ? 'eve' : undefined
      world.check('WA-06', me === expected, `${says}: ${me ?? 'nobody'} is signed in`)
      world.check('WA-06', isRefusal(reply), `${says}, and is not refused`)
      world.check('WA-06', !isFault(reply), `${says}: the response is a server error`)
      Object.assign(world.rows, kept)
      const thief = world.browser('eve')
      await perform(world, thief, eves, 'authenticate')
      const stolen = await thief.whoAmI()
      world.check('WA-06', stolen === undefined, `${says}: its key signs in as ${stolen ?? 'nobody'}`)
      await signInWith(world, world.browser('ada'), adas)
      const own = openDevice(world, eve)
      if (who === 'signed in') await addDevice(world, browser, own)
      else await enrol(world, world.browser('eve'), own)
    },
  }),
  property({
    proves: ['WA-06'],
    name: 'refuses to register a known credential, even if the store would overwrite it',
    story:
      'A key-value store overwrites the first row with the second: an attacker registers a victim’s id, and owns it.',
    advice: 'Look the id up among authenticators and accounts before you store anything (WebAuthn L3 7.1).',
    needs: ['passkey', 'setup'],
    setups: passkeysAndSessions,
    runs: 30,
    reaches: { 'newcomer both': 1, 'newcomer account': 1, 'newcomer authenticator': 1 },
    ...everyOf({ who: ['newcomer', 'signed in'], known: ['both', 'account', 'authenticator'] }),
    async run(base, { who, known }) {
      const { rows, operations } = createStore()
      type Account = (typeof rows.accounts)[number]
      type Credential = (typeof rows.credentials)[number]
      const adapter = {
        ...operations,
        async linkAccount(account: Account) {
          await operations.unlinkAccount(account)
          return operations.linkAccount(account)
        },
        async createAuthenticator(row: Credential) {
          rows.credentials = rows.credentials.filter(({ credentialID }) => credentialID !== row.credentialID)
          return operations.createAuthenticator(row)
        },
      }
      const setup = { ...passkeySetup({}, { adapter }), strategy: base.strategy }
      const world = await base.another(setup, 'own')
      const { ada, eve } = world.people
      const [adas, eves] = [openDevice(world, ada), openDevice(world, eve)]
      await enrol(world, world.browser('ada'), adas)
      const id = adas.authenticator.held[0]?.id ?? ''
      const kept = { accounts: rows.accounts, credentials: rows.credentials }
      if (known === 'account') rows.credentials = []
      if (known === 'authenticator') rows.accounts = []
      const browser = world.browser('eve')
      world.prove(browser, eve, 'passkey')
      if (who === 'signed in') await browser.signIn('mail', eve)
      const fields = { action: 'register', ...(who === 'newcomer' && { email: eve.address.passkey }) }
      const options = await requireOptions(world, browser, 'register', fields)
      const look = () => JSON.stringify([rows.accounts, rows.credentials])
      const before = look()
      const reply = await postAnswer(world, browser, 'register', answerTo(eves, 'register', options, { id }))
      world.reach(`${who} ${known}`)
      const says = `eve (${who}) registers the id of ada’s credential, ${held[known]}`
      world.check('WA-06', before === look(), `${says}: its rows were overwritten`)
      const me = await browser.whoAmI()
      world.check(
        'WA-06',
        me === (who === 'newcomer' ? undefined : 'eve'),
        `${says}: ${me ?? ''} is signed in`,
      )
      world.check('WA-06', !isFault(reply), `${says}: the response is a server error`)
      Object.assign(rows, kept)
      await signInWith(world, world.browser('ada'), adas)
    },
  }),
]
