import fc from 'fast-check'
import { everyOf } from '../../arbitraries/every-of.ts'
import {
  addDevice,
  answerTo,
  requestOptions,
  enrol,
  openDevice,
  postAnswer,
  signInWith,
} from '../../world/passkeys.ts'
import { property, type Property } from '../property.ts'
import { passkeySetup, passkeysAndSessions, withPasskeys } from '../support/passkeys.ts'

export const passkeyDisclosureProperties: readonly Property[] = [
  property({
    proves: ['WA-08'],
    name: 'reveals neither whether an address is known nor its credentials',
    story: 'An attacker types addresses to find out who has an account, and with which devices.',
    advice:
      'Choose the ceremony by the action only. For discoverable credentials, return the same options for every typed address.',
    needs: ['passkey'],
    setups: { passkeys: withPasskeys, 'any authenticator': passkeySetup({ registrationOptions: {} }) },
    runs: 20,
    reaches: { registered: 2 },
    input: fc.record({
      isRegistered: fc.boolean(),
      devices: fc.integer({ min: 1, max: 2 }),
      action: fc.constantFrom('authenticate', 'register', undefined),
    }),
    async run(world, { isRegistered, devices, action }) {
      const { ada, eve } = world.people
      const device = openDevice(world, ada)
      const own = world.browser('ada')
      if (isRegistered) await enrol(world, own, device)
      else await own.signIn('mail', ada)
      for (let at = isRegistered ? 1 : 0; at < devices; at++) await addDevice(world, own, device)
      const email = isRegistered ? ada.address.passkey : ada.address.mail
      const describe = async (address: string) => {
        const browser = world.browser('eve')
        const offer = await requestOptions(world, browser, { action, email: address })
        const { reply, options } = offer
        // Decoy credentials reveal nothing if every address gets some.
        const lists = [options?.allowCredentials, options?.excludeCredentials].map((list) =>
          (list?.length ?? 0) > 0 ? 'a list' : 'no list',
        )
        const cookies = reply.cookies.map(({ key }) => key).toSorted()
        const shape = [reply.status, offer.action, ...lists, ...cookies].join(' ')
        if (offer.action !== 'register' || !options) return { text: reply.text, shape }
        world.reach('registered')
        const posted = await postAnswer(
          world,
          browser,
          'register',
          answerTo(openDevice(world, eve), 'register', options),
        )
        const outcome = `${posted.status} ${posted.location?.href ?? ''}`
        return { text: `${reply.text} ${posted.text}`, shape: `${shape}, and a registration ${outcome}` }
      }
      const known = await describe(email)
      const unknown = await describe('nobody@passkey.example')
      const says = `a known address returns ${known.shape}, and another ${unknown.shape}`
      world.check('WA-08', known.shape === unknown.shape, says)
      for (const { id } of device.authenticator.held)
        world.check(
          'WA-08',
          !known.text.includes(id),
          `a credential of a typed address is revealed: ${known.text}`,
        )
      await signInWith(world, world.browser('ada'), device)
    },
  }),

  property({
    proves: ['WA-08'],
    name: 'reveals no credentials of a user found by a typed address',
    story: 'The application looks up typed addresses, and an attacker learns which devices a user has.',
    advice: 'List the credentials of a signed-out user only if authenticators cannot discover them.',
    needs: ['passkey', 'setup', 'store'],
    setups: passkeysAndSessions,
    runs: 20,
    reaches: { 'known, authenticate': 1, 'known, any ceremony': 1 },
    parts: everyOf({ isKnown: [true, false], action: ['authenticate', 'register', undefined] }).cases,
    input: fc.record({
      devices: fc.integer({ min: 1, max: 2 }),
      isKnown: fc.constantFrom(true, true, false),
      action: fc.constantFrom('authenticate', 'register', undefined),
    }),
    async run(base, { devices, isKnown, action }) {
      const getUserInfo = async (_: unknown, request: Request) => {
        const email = new URL(request.url).searchParams.get('email') ?? ''
        const user = base.rows.users.find((row) => row.email === email)
        return user ? { exists: true, user } : { exists: false, user: { email, name: email } }
      }
      const setup = passkeysAndSessions[base.strategy]
      const world = await base.another({ ...setup, provider: { passkey: { getUserInfo } } }, 'same')
      const { ada } = world.people
      const own = world.browser('ada')
      await own.signIn('mail', ada)
      const held = Array.from({ length: devices }, () => openDevice(world, ada))
      for (const device of held) await addDevice(world, own, device)
      const email = isKnown ? ada.address.mail : 'nobody@passkey.example'
      const { reply } = await requestOptions(world, world.browser('eve'), { action, email })
      for (const { id } of held.flatMap(({ authenticator }) => authenticator.held))
        world.check(
          'WA-08',
          !reply.text.includes(id),
          `a credential of a typed address is revealed: ${reply.text}`,
        )
      world.reach(`${isKnown ? 'known' : 'unknown'}, ${action ?? 'any ceremony'}`)
      for (const device of held) await signInWith(world, world.browser('ada'), device)
    },
  }),
]
