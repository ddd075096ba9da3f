import fc from 'fast-check'
import type { Browser } from '../world/browser.ts'
import { answerTo, askOptions, openDevice, perform, postAnswer } from '../world/passkeys.ts'
import type { Person } from '../world/people.ts'
import { member } from '../world/reply.ts'
import { property, type Property } from './property.ts'
import { challengeOf, passkeysAndSessions, rewrite } from './support/passkeys.ts'
import { plant } from './support/sessions.ts'

/** Users of `plain` have no address. */
const plain = { profile: ({ sub, name }: { sub: string; name: string }) => ({ id: sub, name }) }
const { database, jwt } = passkeysAndSessions

export const webauthnAskerProperties: readonly Property[] = [
  property({
    proves: ['WA-02', 'WA-11'],
    name: 'a challenge is good for the user who asked for it',
    story:
      'An attacker asks in a browser, and what the next user’s authenticator answers goes to the attacker.',
    advice: 'Seal who was signed in beside the challenge, and compare when the answer comes.',
    needs: ['passkey', 'store'],
    setups: {
      database: { ...database, provider: { plain } },
      jwt: { ...jwt, provider: { plain } },
    },
    runs: 60,
    reaches: { 'another user': 1, 'nobody any more': 1, 'somebody by now': 1, 'the same user': 1 },
    input: fc
      .record({
        how: fc.constantFrom('another user', 'nobody any more', 'somebody by now', 'the same user'),
        action: fc.constantFrom('authenticate' as const, 'register' as const),
        doors: fc.record({ ada: fc.constantFrom('mail', 'plain'), bob: fc.constantFrom('mail', 'plain') }),
      })
      // Whoever asks to sign in without a session asks for no user in particular.
      .filter(({ how, action }) => how !== 'somebody by now' || action === 'register'),
    async run(world, { how, action, doors }) {
      const { ada, bob } = world.people
      const device = openDevice(world, bob)
      const browser = world.browser('ada')
      for (const person of [ada, bob]) world.prove(browser, person, 'mail')
      const comeIn = async (as: Person, into: Browser = browser) => {
        const isByMail = as.name === 'eve' || doors[as.name] === 'mail'
        if (isByMail) await into.followLink(await into.askLink(as.address.mail))
        else await into.arrive(await into.visit('plain', as))
      }
      const who = async () => {
        const user = member((await browser.readSession()).json, 'user')
        return user === undefined ? 'nobody' : JSON.stringify(user)
      }
      if (action === 'authenticate') {
        // Bob has a device: if Ada asked, it is not to answer for him.
        const own = world.browser('bob')
        await comeIn(bob, own)
        if (
          doors.bob === 'plain' &&
          (await askOptions(world, own, { action: 'register' })).options === undefined
        )
          return
        await perform(world, own, device, 'register')
        world.demand(world.rows.credentials.length === 1, 'bob cannot register')
      }
      const isNew = how === 'somebody by now'
      if (!isNew) await comeIn(ada)
      const asked = await askOptions(world, browser, {
        action,
        ...(isNew && { email: 'new@passkey.example' }),
      })
      // An application may want users who register to have an address.
      if (doors.ada === 'plain' && asked.options === undefined) return
      world.demand(asked.options !== undefined, 'the application asks nothing')
      const options = rewrite(world, asked)
      const challenge = challengeOf(asked)
      world.reach(how)
      if (how === 'the same user') {
        if (action === 'register') {
          await postAnswer(world, browser, action, answerTo(openDevice(world, ada), action, options))
          world.demand(world.rows.credentials.length === 1, 'who asked cannot register')
        }
        return
      }
      if (!isNew) await browser.signOut()
      if (how === 'another user') await comeIn(bob)
      if (isNew) await comeIn(ada)
      plant(browser, challenge)
      const was = await who()
      const adas = world.rows.users.find(
        ({ email, name }) => email === ada.address.mail || name === 'ada',
      )?.id
      const look = () => {
        const { users, accounts, credentials } = world.rows
        return JSON.stringify([users, accounts, credentials.map(({ userId }) => userId)])
      }
      const before = look()
      await postAnswer(world, browser, action, answerTo(device, action, options))
      const says = `a challenge of one user was answered by ${how} (${action})`
      if (isNew) {
        // The newcomer may come in still, but Ada gets no credential that she did not ask for.
        const got = world.rows.credentials.filter(({ userId }) => userId === adas).length
        return world.hold('WA-02', got === 0, `${says}: it was added to ada`)
      }
      const is = await who()
      world.hold('WA-02', is === was, `${says}: ${was} is ${is} now`)
      world.hold('WA-02', before === look(), `${says}: rows were changed`)
    },
  }),
]
