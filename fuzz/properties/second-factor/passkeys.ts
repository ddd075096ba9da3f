import fc from 'fast-check'
import type { Setup } from '../../targets/setup.ts'
import type { Browser } from '../../world/browser.ts'
import {
  addDevice,
  answerTo,
  enrol as enrolDevice,
  generateId,
  openDevice,
  perform,
  postAnswer,
  requireOptions,
  wrongPlaces,
  type Device,
} from '../../world/passkeys.ts'
import { openRace } from '../../world/race.ts'
import type { Reply } from '../../world/reply.ts'
import type { Faults, Options } from '../../world/webauthn/authenticator.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import {
  enrol,
  enterCode,
  hasFactor,
  period,
  requestFactorOptions,
  sendFactorPasskey,
  type App,
} from '../support/second-factor.ts'

/** Applications with passkeys and a second factor, with either session strategy. */
const passkeysAndFactor = {
  database: {
    strategy: 'database',
    providers: ['alpha', 'passkey'],
    config: { experimental: { enableWebAuthn: true } },
    with: { 'second-factor': true },
  },
  jwt: {
    strategy: 'jwt',
    providers: ['alpha', 'passkey'],
    config: { adapter: true, experimental: { enableWebAuthn: true } },
    with: { 'second-factor': true },
  },
} as const satisfies Record<string, Setup>

/** Signs Ada in at a provider, before the second factor. */
async function begin(world: World, browser = world.browser('ada')): Promise<Browser> {
  await browser.arrive(await browser.visit('alpha', world.people.ada))
  return browser
}

/** Ada, with a passkey and an app. */
async function openAda(
  world: World,
  counts = true,
): Promise<{ readonly app: App; readonly device: Device; readonly owner: Browser }> {
  const owner = await begin(world)
  const device = openDevice(world, world.people.ada, { counts })
  await addDevice(world, owner, device)
  const app = await enrol(world, owner)
  return { app, device, owner }
}

async function requireFactorOptions(world: World, browser: Browser): Promise<Options> {
  const options = await requestFactorOptions(world, browser)
  world.assume(options !== undefined, 'the application returned no options for the second factor')
  return options ?? { challenge: '' }
}

async function usePasskey(world: World, browser: Browser, device: Device, faults?: Faults): Promise<Reply> {
  const options = await requireFactorOptions(world, browser)
  return sendFactorPasskey(world, browser, answerTo(device, 'authenticate', options, faults))
}

const isIn = async (browser: Browser) => (await browser.whoAmI()) !== undefined

/** Deviations of a response from an honest one. */
const deviations: Readonly<Record<string, (world: World) => Faults>> = {
  ...Object.fromEntries(
    ['another origin', 'a subdomain', 'the id of another site'].map((place) => [
      place,
      ({ origin }: World) => wrongPlaces[place]?.(new URL(origin)) ?? {},
    ]),
  ),
  'another challenge': () => ({ challenge: generateId() }),
  'an invalid signature': () => ({ signature: crypto.getRandomValues(new Uint8Array(70)) }),
  'an earlier counter': () => ({ counter: 1 }),
  'the handle of another user': () => ({ userHandle: generateId() }),
}

const foreign = ['a passkey of another user', 'a passkey of another user in place of one of them'] as const

/** A copy of a browser, with its cookies. */
function copyOf(world: World, browser: Browser): Browser {
  const copy = world.browser('ada')
  copy.restore(browser.save())
  // Either of them may use the passkey, but not both.
  world.prove(copy, world.people.ada, 'alpha')
  return copy
}

/** Sends a response to a challenge that is not for it. @returns the browser in which it was sent */
const misuses: Readonly<
  Record<
    string,
    (world: World, ada: { readonly device: Device; readonly browser: Browser }) => Promise<Browser>
  >
> = {
  async 'another sign-in of the browser'(world, { device, browser }) {
    const options = await requireFactorOptions(world, browser)
    await begin(world, browser)
    await sendFactorPasskey(world, browser, answerTo(device, 'authenticate', options))
    return browser
  },
  async 'another browser'(world, { device, browser }) {
    const options = await requireFactorOptions(world, browser)
    const other = await begin(world)
    await requireFactorOptions(world, other)
    for (const [name, value] of Object.entries(browser.cookies()))
      if (name.includes('challenge')) other.setCookie(`${name}=${value}; Path=/; Secure`)
    await sendFactorPasskey(world, other, answerTo(device, 'authenticate', options))
    return other
  },
  async 'the second factor after a sign-in'(world, { device, browser }) {
    const options = await requireOptions(world, browser, 'authenticate', { action: 'authenticate' })
    await sendFactorPasskey(world, browser, answerTo(device, 'authenticate', options))
    return browser
  },
  async 'a sign-in'(world, { device, browser }) {
    const options = await requireFactorOptions(world, browser)
    const before = pendingOf(browser)
    await postAnswer(world, browser, 'authenticate', answerTo(device, 'authenticate', options))
    // The passkey may have been accepted as the first factor of another sign-in.
    const after = pendingOf(browser)
    world.check('SF-19', after === before, 'a challenge of the second factor begins another sign-in')
    return browser
  },
}

/** The cookie of the sign-in that waits for the second factor. */
function pendingOf(browser: Browser): string {
  return JSON.stringify(Object.entries(browser.cookies()).filter(([name]) => name.includes('pending')))
}

export const passkeyFactorProperties: readonly Property[] = [
  property({
    proves: ['SF-17', 'SF-07'],
    name: 'accepts only a passkey of the user as the second factor, verified as at a sign-in',
    story: 'A thief of a password passes the second factor with a passkey of the thief’s own.',
    advice: 'Look up the passkeys of the user who signs in, and verify the response as at a sign-in.',
    needs: ['passkey'],
    setups: passkeysAndFactor,
    runs: 60,
    reaches: Object.fromEntries(foreign.map((how) => [how, 2])),
    parts: foreign.map((how) => ({ how })),
    input: fc.record({ how: fc.constantFrom(...foreign, ...Object.keys(deviations)) }),
    async run(world, { how }) {
      const { device } = await openAda(world)
      const other = openDevice(world, world.people.bob)
      await enrolDevice(world, world.browser('bob'), other)
      const browser = await begin(world)
      world.assume(!(await isIn(browser)), 'the second factor is not asked for')
      const options = await requireFactorOptions(world, browser)
      const offered = options.allowCredentials?.map(({ id }) => id) ?? []
      const own = device.authenticator.held.map(({ id }) => id)
      world.check(
        'SF-17',
        offered.join() === own.join(),
        'the options offer other passkeys than those of the user',
      )
      const isForeign = foreign.some((each) => each === how)
      const faults = isForeign ? {} : (deviations[how]?.(world) ?? {})
      const named = how === foreign[1] ? { ...faults, id: own[0] ?? '' } : faults
      world.reach(how)
      const answer = answerTo(isForeign ? other : device, 'authenticate', options, named)
      await sendFactorPasskey(world, browser, answer)
      world.check('SF-17', !(await isIn(browser)), `${how} is accepted as the second factor`)
      await usePasskey(world, browser, device)
      world.check('SF-17', await isIn(browser), 'the passkey of the user is refused')
      world.check('SF-07', await hasFactor(browser), 'the session has no mfa in amr')
    },
  }),

  property({
    proves: ['SF-19', 'SU-16'],
    name: 'accepts a passkey as the second factor once for each challenge',
    story: 'Someone who copied the cookies and a response of a browser signs in with them later.',
    advice:
      'Store when the challenge of the last passkey was created, by comparing and replacing, and accept only later ones.',
    needs: ['passkey'],
    setups: passkeysAndFactor,
    runs: 40,
    reaches: { 'at once': 4, 'in a row': 4 },
    input: fc.record({ atOnce: fc.boolean(), scheduler: fc.scheduler() }),
    async run(world, { atOnce, scheduler }) {
      // The authenticator has no counter, because a counter would reveal the replay as well.
      const { device } = await openAda(world, false)
      const first = await begin(world)
      const options = await requireFactorOptions(world, first)
      const answer = answerTo(device, 'authenticate', options)
      const browsers = [first, copyOf(world, first)]
      const send = (browser: Browser) => () => sendFactorPasskey(world, browser, answer)
      if (atOnce) {
        const race = openRace(scheduler)
        if (world.features.has('faults')) world.enter(race)
        await race.run(browsers.map(send))
      } else for (const browser of browsers) await send(browser)()
      world.reach(atOnce ? 'at once' : 'in a row')
      const count = (await Promise.all(browsers.map(isIn))).filter(Boolean).length
      world.assume(count > 0, 'the passkey is refused')
      for (const row of ['SF-19', 'SU-16'] as const)
        world.check(row, count === 1, `a response signs ${count} browsers in`)
    },
  }),

  property({
    proves: ['SF-19'],
    name: 'accepts a challenge for the second factor only for the sign-in that it was created for',
    story: 'A response that a phishing page got for one purpose is used for another one.',
    advice: 'Seal the purpose and the sign-in into the challenge, and compare both.',
    needs: ['passkey'],
    setups: passkeysAndFactor,
    runs: 40,
    reaches: Object.fromEntries(Object.keys(misuses).map((how) => [how, 2])),
    input: fc.record({ how: fc.constantFrom(...Object.keys(misuses)) }),
    async run(world, { how }) {
      const { device } = await openAda(world)
      const browser = await begin(world)
      const sender = await misuses[how]?.(world, { device, browser })
      world.reach(how)
      world.check(
        'SF-19',
        sender === undefined || !(await isIn(sender)),
        `a challenge is accepted for ${how}`,
      )
      const honest = await begin(world)
      world.clock.advance(1)
      await usePasskey(world, honest, device)
      world.assume(await isIn(honest), 'the passkey is refused')
    },
  }),

  property({
    proves: ['SF-20'],
    name: 'adds a passkey to a user with a second factor only soon after it was passed',
    story: 'Someone finds an unlocked browser, adds a passkey, and has the second factor of the user.',
    advice: 'Check a session before it adds a passkey as before it replaces the second factor.',
    needs: ['passkey', 'clock', 'store'],
    setups: passkeysAndFactor,
    runs: 30,
    reaches: { remembered: 4, late: 4 },
    input: fc.record({
      how: fc.constantFrom('remembered', 'late'),
      minutes: fc.integer({ min: 16, max: 60 }),
    }),
    async run(world, { how, minutes }) {
      const { app, owner } = await openAda(world)
      const browser = await begin(world)
      await enterCode(world, browser, app.code(), { remember: 'true' })
      await browser.signOut()
      await begin(world, browser)
      world.assume((await isIn(browser)) && !(await hasFactor(browser)), 'the browser is not remembered')
      if (how === 'late') world.advance(minutes * 60)
      world.reach(how)
      const count = world.rows.credentials.length
      const unlocked = how === 'late' ? owner : browser
      await perform(world, unlocked, openDevice(world, world.people.ada), 'register')
      const isSame = world.rows.credentials.length === count
      world.check('SF-20', isSame, `a ${how} session adds a passkey`)
      world.clock.advance(period)
      await enterCode(world, browser, app.code())
      await perform(world, browser, openDevice(world, world.people.ada), 'register')
      world.assume(world.rows.credentials.length > count, 'no passkey can be added')
    },
  }),

  property({
    proves: ['SF-18'],
    name: 'asks for a code after a sign-in with a passkey, and not for a passkey again',
    story: 'A thief of a phone uses its passkey for the sign-in, and again for the second factor.',
    advice: 'Compare the first factor with the second one, and refuse the same kind twice.',
    needs: ['passkey'],
    setups: passkeysAndFactor,
    runs: 20,
    input: fc.record({ isIn: fc.boolean(), otherDevice: fc.boolean() }),
    async run(world, { isIn: isStepUp, otherDevice }) {
      const { app, device, owner } = await openAda(world)
      // Adding a passkey begins another sign-in.
      const second = openDevice(world, world.people.ada)
      if (otherDevice) {
        await perform(world, owner, second, 'register')
        await enterCode(world, owner, app.code())
        world.clock.advance(period)
      }
      const browser = world.browser('ada')
      world.prove(browser, world.people.ada, 'passkey')
      await perform(world, browser, device, 'authenticate')
      world.assume(!(await isIn(browser)), 'the second factor is not asked for')
      if (isStepUp) await enterCode(world, browser, app.code())
      world.assume((await isIn(browser)) === isStepUp, 'the code is refused')
      const options = await requestFactorOptions(world, browser)
      world.check('SF-18', options === undefined, 'a passkey is offered after a passkey')
      const page = await browser.send(`${world.basePath}/factor`, {
        says: 'opens the page for the second factor',
      })
      world.check(
        'SF-18',
        !page.text.includes('data-options-url'),
        'the page offers a passkey after a passkey',
      )
    },
  }),
]
