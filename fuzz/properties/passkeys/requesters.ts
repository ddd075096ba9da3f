import fc from 'fast-check'
import type { Browser } from '../../world/browser.ts'
import {
  addDevice,
  answerTo,
  requestOptions,
  requireOptions,
  openDevice,
  perform,
  postAnswer,
} from '../../world/passkeys.ts'
import type { Person } from '../../world/people.ts'
import { member } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { challengeOf, passkeysAndSessions, rewrite } from '../support/passkeys.ts'
import { plant } from '../support/sessions.ts'

/** Users of `plain` have no address. */
const plain = { profile: ({ sub, name }: { sub: string; name: string }) => ({ id: sub, name }) }
const { database, jwt } = passkeysAndSessions

const requesters = [
  'another user',
  'a signed-out browser',
  'a user who signed in later',
  'the same user',
  'another user than the named one',
] as const

export const webauthnRequesterProperties: readonly Property[] = [
  property({
    proves: ['WA-02', 'WA-11'],
    name: 'accepts a challenge only from the user who requested it',
    story:
      'An attacker requests options in a shared browser, and the next user’s authenticator response goes to the attacker.',
    advice: 'Seal the signed-in user beside the challenge, and compare it when the response arrives.',
    needs: ['passkey', 'store'],
    setups: {
      database: { ...database, provider: { plain } },
      jwt: { ...jwt, provider: { plain } },
    },
    runs: 60,
    reaches: Object.fromEntries(requesters.map((how) => [how, 1])),
    parts: requesters.map((how) => ({ how })),
    input: fc
      .record({
        how: fc.constantFrom(...requesters),
        action: fc.constantFrom('authenticate' as const, 'register' as const),
        signInMethods: fc.record({
          ada: fc.constantFrom('mail', 'plain'),
          bob: fc.constantFrom('mail', 'plain'),
        }),
      })
      // Options to sign in without a session belong to no user.
      .filter(({ how, action }) => how !== 'a user who signed in later' || action === 'register'),
    async run(world, { how, action, signInMethods }) {
      if (how === 'another user than the named one') {
        world.reach(how)
        return respondForAnother(world)
      }
      const { ada, bob } = world.people
      const device = openDevice(world, bob)
      const browser = world.browser('ada')
      for (const person of [ada, bob]) world.prove(browser, person, 'mail')
      const signIn = async (as: Person, into: Browser = browser) => {
        const isByMail = as.name === 'eve' || signInMethods[as.name] === 'mail'
        if (isByMail) await into.followLink(await into.requestLink(as.address.mail))
        else await into.arrive(await into.visit('plain', as))
      }
      const who = async () => {
        const user = member((await browser.readSession()).json, 'user')
        return user === undefined ? 'nobody' : JSON.stringify(user)
      }
      if (action === 'authenticate') {
        // Bob has a device: it must not complete Ada's ceremony as Bob.
        const own = world.browser('bob')
        await signIn(bob, own)
        if (
          signInMethods.bob === 'plain' &&
          (await requestOptions(world, own, { action: 'register' })).options === undefined
        )
          return
        await perform(world, own, device, 'register')
        world.assume(world.rows.credentials.length === 1, 'bob cannot register')
      }
      const isNew = how === 'a user who signed in later'
      if (!isNew) await signIn(ada)
      const offer = await requestOptions(world, browser, {
        action,
        ...(isNew && { email: 'new@passkey.example' }),
      })
      // An application may require an address for registration.
      if (signInMethods.ada === 'plain' && offer.options === undefined) return
      world.assume(offer.options !== undefined, 'the application returns no options')
      const options = rewrite(world, offer)
      const challenge = challengeOf(offer)
      world.reach(how)
      if (how === 'the same user') {
        if (action === 'register') {
          await postAnswer(world, browser, action, answerTo(openDevice(world, ada), action, options))
          world.assume(
            world.rows.credentials.length === 1,
            'the user who requested the options cannot register',
          )
        }
        return
      }
      if (!isNew) await browser.signOut()
      if (how === 'another user') await signIn(bob)
      if (isNew) await signIn(ada)
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
      const says = `${how} responded to a challenge of another user (${action})`
      if (isNew) {
        // The newcomer may still sign in, but Ada gets no credential that she did not request.
        const got = world.rows.credentials.filter(({ userId }) => userId === adas).length
        return world.check('WA-11', got === 0, `${says}: it was added to ada`)
      }
      const is = await who()
      world.check('WA-02', is === was, `${says}: the user was ${was}, and is ${is} now`)
      world.check('WA-02', before === look(), `${says}: rows were changed`)
    },
  }),
]

/** Names a user while nobody is signed in, and responds with the passkey of another one. */
async function respondForAnother(base: World): Promise<void> {
  const getUserInfo = async (_: unknown, request: Request) => {
    const email = new URL(request.url).searchParams.get('email')
    const user = base.rows.users.find((row) => row.email === email)
    return user ? { exists: true, user } : null
  }
  const setup = passkeysAndSessions[base.strategy]
  const world = await base.another({ ...setup, provider: { passkey: { getUserInfo } } }, 'same')
  const { ada, bob } = world.people
  const devices = [openDevice(world, ada), openDevice(world, bob)] as const
  for (const device of devices) {
    const own = world.browser(device.owner.name)
    await own.signIn('mail', device.owner)
    await addDevice(world, own, device)
  }
  const browser = world.browser('bob')
  const fields = { action: 'authenticate', email: ada.address.mail }
  const options = await requireOptions(world, browser, 'authenticate', fields)
  world.prove(browser, bob, 'passkey')
  await postAnswer(world, browser, 'authenticate', answerTo(devices[1], 'authenticate', options))
  const me = await browser.whoAmI()
  world.check(
    'WA-02',
    me === undefined,
    `bob responded to a challenge for ada: ${me ?? 'nobody'} is signed in`,
  )
}
