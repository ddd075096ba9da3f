import { expect } from 'vitest'
import {
  openAuthenticator,
  type Answer,
  type Faults,
  type Options,
} from '../../../fuzz/world/webauthn/authenticator.ts'
import type { RateLimitParams } from '../../../src/types/rate-limit.ts'
import { csrfOf, origin, sessionOf, signIn, signOut } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { codeOf, enrol, enterCode, withFactor } from '../../support/second-factor.ts'
import { heldSession, plant } from '../../support/session-cookie.ts'
import { failing } from '../../support/watch-store.ts'
import {
  askOptions,
  authenticatorsOf,
  challengeCookie,
  createPerson,
  perform,
  postAnswer,
  register,
  withPasskeys,
  type Person,
} from '../../support/webauthn/app.ts'
import { scenario, type Stage } from '../scenario.ts'

interface Given extends NonNullable<Parameters<typeof withPasskeys>[0]> {
  readonly factor?: object
  /** Whether the passkey has a signature counter. */
  readonly counts?: boolean
}

const strategies = ['database', 'jwt-stored'] as const
const factorPage = `${origin}/auth/factor`
const pendingCookie = '__Host-authjs.pending-sign-in'
const deviceCookie = '__Host-authjs.remembered-device'
const locationOf = (response: Response) => response.headers.get('location')

/** An application with passkeys. Its user has one, and an authenticator app. */
async function arrange(open: Stage['open'], { factor, config, counts, ...others }: Given = {}) {
  const app = open(withPasskeys({ ...others, config: { ...withFactor(factor), ...config } }))
  const owner = createPerson(app, openAuthenticator(origin, { counts }))
  await signIn(app, owner.agent)
  await perform(owner, { fields: { action: 'register' } })
  const { secret, recovery } = await enrol(app, owner.agent)
  const { device } = owner
  const now = () => codeOf(secret, app.clock.now())
  /** Signs in with the first factor, in a new browser with the device. */
  const begin = async (): Promise<Person> => {
    const person = { agent: app.agent(), device }
    expect(locationOf(await signIn(app, person.agent, 'idp', { callbackUrl: '/home' }))).toBe(factorPage)
    return person
  }
  /** Signs in with the first factor and a code. */
  const enter = async (): Promise<Person> => {
    const person = await begin()
    await enterCode(person.agent, now())
    app.clock.advance(30)
    return person
  }
  return { app, owner, recovery, now, begin, enter }
}

async function askFactorOptions(agent: Agent) {
  const response = await agent.send('/auth/factor?action=authenticate')
  const { action, options } = (await response.json()) as { action?: string; options: Options }
  return { response, action, options }
}

/** Posts a response with the form of the page, as its script does. */
async function postPasskey(agent: Agent, answer: Answer, form: Record<string, string> = {}) {
  const data = JSON.stringify(answer)
  const csrfToken = await csrfOf(agent)
  return agent.send('/auth/factor', { form: { csrfToken, code: '', action: 'authenticate', data, ...form } })
}

async function usePasskey({ agent, device }: Person, faults?: Faults, form?: Record<string, string>) {
  const { options } = await askFactorOptions(agent)
  return postPasskey(agent, device.get(options, faults), form)
}

const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

async function guessWrongly(agent: Agent, code: string, times: number): Promise<void> {
  for (let guess = 0; guess < times; guess++) await enterCode(agent, wrong(code))
}

const authenticationOf = async (agent: Agent) => {
  const { amr, auth_time } = (await sessionOf(agent)) ?? {}
  return { amr, auth_time }
}

/** Passkeys in place of codes. */
export const passkeyFactorScenarios = [
  ...strategies.map((strategy) =>
    scenario(`SF-17 SF-07 a passkey of the user is the second factor (${strategy})`, async ({ open }) => {
      const { app, begin } = await arrange(open, { strategy, factor: { rememberFor: 86_400 } })
      const person = await begin()
      const { agent, device } = person
      const page = await agent.send('/auth/factor')
      const html = await page.text()
      expect(html).toContain('Use a passkey instead')
      expect(html).toContain(`data-options-url="${factorPage}"`)
      expect(html).toContain(`<script src="${origin}/auth/webauthn-options?v=`)
      expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
      const { response, action, options } = await askFactorOptions(agent)
      expect([response.status, action, app.ended()]).toEqual([200, 'authenticate', 'offered'])
      expect(response.headers.get('cache-control')).toBe('private, no-cache, no-store')
      expect(options.allowCredentials?.map(({ id }) => id)).toEqual(device.held.map(({ id }) => id))
      expect(options.challenge.length).toBeGreaterThan(40)
      app.clock.advance(5)
      const done = await postPasskey(agent, device.get(options), { remember: 'true' })
      expect([locationOf(done), app.ended()]).toEqual([`${origin}/home`, 'signedIn'])
      expect(app.events.at(-1)).toMatchObject({
        event: 'signIn',
        message: { account: { provider: 'idp' }, profile: { sub: 'ada' } },
      })
      expect(await authenticationOf(agent)).toEqual({
        amr: ['fed', 'pop', 'mfa'],
        auth_time: app.clock.now() / 1000,
      })
      expect(agent.cookies()[pendingCookie]).toBeUndefined()
      expect(agent.cookies()[challengeCookie]).toBeUndefined()
      expect(agent.cookies()[deviceCookie]).toBeDefined()
      const [passkey] = await authenticatorsOf(app)
      expect(passkey?.counter).toBe(device.held[0]?.counter)
    }),
  ),

  ...strategies.map((strategy) =>
    scenario(`SF-08 SF-17 a passkey replaces the session (${strategy})`, async ({ open }) => {
      const { app, enter } = await arrange(open, { strategy, factor: { rememberFor: 86_400 } })
      const person = await enter()
      const { agent } = person
      const earlier = heldSession(agent)
      app.clock.advance(60)
      expect(await (await agent.send('/auth/factor?callbackUrl=/account')).text()).toContain('a passkey')
      const done = await usePasskey(person, undefined, { callbackUrl: '/account' })
      expect([locationOf(done), app.ended()]).toEqual([`${origin}/account`, 'steppedUp'])
      expect(heldSession(agent)).not.toBe(earlier)
      expect(await authenticationOf(agent)).toEqual({
        amr: ['fed', 'otp', 'mfa', 'pop'],
        auth_time: app.clock.now() / 1000,
      })
      app.clock.advance(1)
      await usePasskey(person)
      expect(app.ended()).toBe('steppedUp')
    }),
  ),

  scenario(
    'SF-17 SF-11 each response that proves no passkey of the user counts as a guess',
    async ({ open }) => {
      const faults: Readonly<Record<string, Faults>> = {
        'authentication.unverified': { origin: 'https://evil.example' },
        'counter.stale': { counter: 1 },
        'owner.mismatched': { userHandle: Buffer.alloc(32).toString('base64url') },
      }
      for (const [event, fault] of Object.entries(faults)) {
        const { app, begin, now, recovery } = await arrange(open)
        const person = await begin()
        await guessWrongly(person.agent, now(), 4)
        const refused = await usePasskey(person, fault)
        expect([refused.status, app.ended(), app.hops.some((hop) => hop.event === event)]).toEqual([
          422,
          'awaitingCode',
          true,
        ])
        expect(await refused.text()).toContain('The passkey did not work')
        expect(app.errors.at(-1)?.name).toBe('WebAuthnVerificationError')
        expect(person.agent.cookies()[challengeCookie]).toBeUndefined()
        await enterCode(person.agent, now())
        expect(app.ended()).toBe('denied')
        await usePasskey(person)
        expect(app.ended()).toBe('denied')
        await enterCode(person.agent, recovery[0] ?? '')
        expect(app.ended()).toBe('signedIn')
      }
    },
  ),

  scenario(
    'SF-17 WA-07 a passkey that is not, or no longer, one of the user is refused',
    async ({ open }) => {
      for (const kind of ['foreign', 'removed'] as const) {
        const { app, begin, now } = await arrange(open)
        const bob = await register(app, 'bob@example.com')
        const { agent, device } = await begin()
        const { options } = await askFactorOptions(agent)
        await guessWrongly(agent, now(), 4)
        const [passkey] = await authenticatorsOf(app)
        if (kind === 'removed') await app.store.deleteAuthenticator(passkey?.credentialID ?? '')
        const { allowCredentials: _, ...anybody } = options
        const answer = kind === 'foreign' ? bob.device.get(anybody) : device.get(options)
        expect((await postPasskey(agent, answer)).status).toBe(422)
        expect(app.hops.at(-2)?.event).toBe('guess.counted')
        expect(await sessionOf(agent)).toBeNull()
        await enterCode(agent, now())
        expect(app.ended()).toBe('denied')
      }
    },
  ),

  scenario('SF-17 WA-07 a passkey that another user gets meanwhile is refused', async ({ open }) => {
    const { app, enter, now } = await arrange(open)
    const { agent, device } = await enter()
    const { options } = await askFactorOptions(agent)
    const [passkey] = await authenticatorsOf(app)
    await register(app, 'bob@example.com')
    const bob = app.rows.users().find(({ name }) => name === 'bob@example.com')
    const account = { provider: 'passkey', providerAccountId: passkey?.providerAccountId ?? '' }
    await app.store.unlinkAccount(account)
    await app.store.deleteAuthenticator(passkey?.credentialID ?? '')
    await app.store.linkAccount({ ...account, type: 'webauthn', userId: bob?.id ?? '' })
    if (passkey) await app.store.createAuthenticator({ ...passkey, userId: bob?.id ?? '' })
    await guessWrongly(agent, now(), 4)
    // A handle would name the earlier owner.
    await postPasskey(agent, device.get(options, { userHandle: '' }))
    expect([app.hops.some((hop) => hop.event === 'account.taken'), app.ended()]).toEqual([
      true,
      'awaitingCode',
    ])
    await enterCode(agent, now())
    expect(app.ended()).toBe('denied')
  }),

  scenario('SF-19 a challenge works only for its own sign-in, and is no guess', async ({ open }) => {
    const { app, begin, now } = await arrange(open)
    const { agent, device } = await begin()
    const expectRefusal = async (other: Agent, answer: Answer) => {
      expect((await postPasskey(other, answer)).status).toBe(422)
      expect([app.ended(), app.errors.at(-1)?.name]).toEqual(['awaitingCode', 'InvalidCheck'])
    }
    await guessWrongly(agent, now(), 4)
    const { options } = await askFactorOptions(agent)
    const copy = agent.cookies()[challengeCookie] ?? ''
    await signIn(app, agent, 'idp', { callbackUrl: '/home' })
    await expectRefusal(agent, device.get(options))
    expect(agent.cookies()[challengeCookie]).toBeUndefined()
    await expectRefusal(agent, device.get(options))
    const ofSignIn = await askOptions(agent, { action: 'authenticate' })
    await expectRefusal(agent, device.get(ofSignIn.options))
    const other = await begin()
    other.agent.set(`${challengeCookie}=${copy}; Path=/; Secure`)
    await expectRefusal(other.agent, device.get(options))
    const late = await askFactorOptions(other.agent)
    const expired = other.agent.cookies()[challengeCookie] ?? ''
    app.clock.advance(900)
    const last = await begin()
    last.agent.set(`${challengeCookie}=${expired}; Path=/; Secure`)
    await expectRefusal(last.agent, device.get(late.options))
    await enterCode(last.agent, now())
    expect(app.ended()).toBe('signedIn')
  }),

  scenario('SF-19 a challenge of a session works for its user and browser only', async ({ open }) => {
    for (const strategy of strategies) {
      const { app, enter, begin } = await arrange(open, { strategy })
      const { agent, device } = await enter()
      const { options } = await askFactorOptions(agent)
      const copy = agent.cookies()[challengeCookie] ?? ''
      const others = { session: await enter(), 'sign-in': await begin() }
      for (const other of Object.values(others)) {
        other.agent.set(`${challengeCookie}=${copy}; Path=/; Secure`)
        await postPasskey(other.agent, device.get(options))
        expect(app.ended()).toBe('awaitingCode')
      }
      await signOut(agent)
      app.idp.choose('bob')
      await signIn(app, agent)
      await enrol(app, agent)
      agent.set(`${challengeCookie}=${copy}; Path=/; Secure`)
      await postPasskey(agent, device.get(options))
      expect(app.ended()).toBe('awaitingCode')
    }
  }),

  scenario('SF-19 a challenge of the second factor signs in nobody', async ({ open }) => {
    const { app, begin } = await arrange(open)
    const { agent, device } = await begin()
    const { options } = await askFactorOptions(agent)
    await postAnswer(agent, 'authenticate', device.get(options))
    expect([app.ended(), await sessionOf(agent)]).toEqual(['refused', null])
  }),

  scenario(
    'SF-19 SU-16 a response works once, also if it is sent twice at the same time',
    async ({ open }) => {
      for (const strategy of strategies)
        for (const atOnce of [true, false]) {
          // A passkey without a counter, so that only the challenge shows the repetition.
          const { app, begin, enter } = await arrange(open, { strategy, counts: false })
          const person = await begin()
          const { agent, device } = person
          const { options } = await askFactorOptions(agent)
          const answer = device.get(options)
          const before = agent.cookies()
          const again = app.agent()
          for (const [name, value] of Object.entries(before)) again.set(`${name}=${value}; Path=/; Secure`)
          const send = async (each: Agent) => (await postPasskey(each, answer)).status
          const statuses = atOnce
            ? await Promise.all([send(agent), send(again)])
            : [await send(agent), await send(again)]
          expect(statuses.toSorted((one, other) => one - other)).toEqual([302, 422])
          app.clock.advance(1)
          const session = await enter()
          const stepUp = await askFactorOptions(session.agent)
          const kept = session.agent.cookies()[challengeCookie] ?? ''
          const response = device.get(stepUp.options)
          await postPasskey(session.agent, response)
          expect(app.ended()).toBe('steppedUp')
          session.agent.set(`${challengeCookie}=${kept}; Path=/; Secure`)
          await postPasskey(session.agent, response)
          expect(app.ended()).toBe('awaitingCode')
        }
    },
  ),

  scenario('SF-10 SF-19 a new enrolment ends sign-ins and challenges from before', async ({ open }) => {
    const { app, enter, begin } = await arrange(open)
    const person = await enter()
    const { options } = await askFactorOptions(person.agent)
    const waiting = await begin()
    const pending = await askFactorOptions(waiting.agent)
    await enrol(app, person.agent)
    await postPasskey(waiting.agent, waiting.device.get(pending.options))
    expect(app.ended()).toBe('anonymous')
    await postPasskey(person.agent, person.device.get(options))
    expect(app.ended()).toBe('awaitingCode')
    await usePasskey(person)
    expect(app.ended()).toBe('steppedUp')
  }),

  scenario('SF-18 SF-01 a passkey is not the second factor after a passkey', async ({ open }) => {
    for (const strategy of strategies) {
      const { app, owner, now } = await arrange(open, { strategy })
      const person = createPerson(app, owner.device)
      const { agent } = person
      const expectNone = async () => {
        expect(await (await agent.send('/auth/factor')).text()).not.toContain('passkey')
        const { response } = await askFactorOptions(agent)
        expect([response.status, app.ended(), agent.cookies()[challengeCookie]]).toEqual([
          400,
          'unavailable',
          undefined,
        ])
      }
      await perform(person, { fields: { action: 'authenticate' } })
      expect(app.ended()).toBe('held')
      await expectNone()
      await enterCode(agent, now())
      expect((await authenticationOf(agent)).amr).toEqual(['pop', 'otp', 'mfa'])
      await expectNone()
    }
  }),

  scenario(
    'SF-18 a passkey is not the second factor of a session with an unknown first one',
    async ({ open }) => {
      const { app } = await arrange(open)
      const agent = app.agent()
      const userId = app.rows.users()[0]?.id ?? ''
      const expires = new Date(app.clock.now() + 3_600_000)
      await app.store.createSession({ sessionToken: 'a'.repeat(64), userId, expires })
      plant(agent, 'a'.repeat(64))
      expect((await askFactorOptions(agent)).response.status).toBe(400)
      expect(app.ended()).toBe('unavailable')
    },
  ),

  ...strategies.map((strategy) =>
    scenario(`SF-20 a passkey is added only after the second factor (${strategy})`, async ({ open }) => {
      const { app, owner, now, begin } = await arrange(open, { strategy, factor: { rememberFor: 86_400 } })
      const { agent } = await begin()
      await enterCode(agent, now(), { remember: 'true' })
      await signOut(agent)
      await signIn(app, agent)
      expect((await authenticationOf(agent)).amr).toEqual(['fed'])
      const thief = createPerson(app)
      const person = { ...thief, agent }
      const events = app.events.length
      const expectRefusal = async (each: Person) => {
        const response = await perform(each, { fields: { action: 'register' } })
        expect(app.ended()).toBe('challenged')
        expect(locationOf(response)).toContain(`${factorPage}?callbackUrl=`)
        expect(each.agent.cookies()[pendingCookie]).toBeUndefined()
        expect(await authenticatorsOf(app)).toHaveLength(1)
        expect(app.events.slice(events).filter(({ event }) => event === 'linkAccount')).toEqual([])
      }
      await expectRefusal(person)
      app.clock.advance(901)
      await expectRefusal({ ...thief, agent: owner.agent })
      await enterCode(agent, now())
      expect(app.ended()).toBe('steppedUp')
      await perform(person, { fields: { action: 'register' } })
      expect(await authenticatorsOf(app)).toHaveLength(2)
    }),
  ),

  scenario('SF-20 POL-02 POL-04 a passkey is added only soon after a sign-in', async ({ open }) => {
    for (const strategy of strategies) {
      const app = open(withPasskeys({ strategy, config: withFactor() }))
      const person = createPerson(app)
      await signIn(app, person.agent)
      const before = await authenticationOf(person.agent)
      app.clock.advance(901)
      await perform(person, { fields: { action: 'register' } })
      expect([app.ended(), (await authenticatorsOf(app)).length]).toEqual(['stale', 0])
      expect(await authenticationOf(person.agent)).toEqual(before)
      await signIn(app, person.agent)
      const renewed = await authenticationOf(person.agent)
      app.clock.advance(60)
      await perform(person, { fields: { action: 'register' } })
      expect([app.ended(), (await authenticatorsOf(app)).length]).toEqual(['signedIn', 1])
      expect(await authenticationOf(person.agent)).toEqual(renewed)
    }
  }),

  scenario(
    'POL-02 where sessions do not record when, a passkey is added with any session',
    async ({ open }) => {
      const app = open(withPasskeys({}))
      const person = createPerson(app)
      await signIn(app, person.agent)
      app.clock.advance(3600)
      await perform(person, { fields: { action: 'register' } })
      expect([app.ended(), (await authenticatorsOf(app)).length]).toEqual(['signedIn', 1])
    },
  ),

  scenario('SF-11 OPT-003 RL-01 the rateLimit callback limits passkeys, too', async ({ open }) => {
    const asked: RateLimitParams[] = []
    let refused = ''
    const rateLimit = (attempt: RateLimitParams) => (asked.push(attempt), attempt.type !== refused)
    const { app, begin } = await arrange(open, { config: { callbacks: { rateLimit } } })
    const person = await begin()
    refused = 'passkey-options'
    const response = await person.agent.send('/auth/factor?action=authenticate')
    expect([locationOf(response), app.ended()]).toEqual([`${origin}/auth/error?error=RateLimited`, 'denied'])
    expect(asked.at(-1)).toMatchObject({ type: 'passkey-options', provider: 'passkey' })
    refused = 'second-factor'
    await usePasskey(person)
    expect(app.ended()).toBe('denied')
    expect(asked.at(-1)).toMatchObject({
      type: 'second-factor',
      provider: 'idp',
      account: app.rows.users()[0]?.id,
    })
    refused = ''
    await usePasskey(person)
    expect(app.ended()).toBe('signedIn')
  }),

  scenario('FI-09 SF-02 a passkey works again if its sign-in fails on the server', async ({ open }) => {
    for (const operation of ['createSession', 'getUser'] as const) {
      const failures = { left: 0 }
      const { app, begin } = await arrange(open, { wrap: failing(operation, failures) })
      const person = await begin()
      failures.left = 1
      await usePasskey(person)
      // The sign-in continues after the user is read.
      const ended = operation === 'getUser' ? 'passed' : 'faulted'
      expect([app.ended(), await sessionOf(person.agent)]).toEqual([ended, null])
      await usePasskey(person)
      expect(app.ended()).toBe('signedIn')
    }
  }),

  scenario('SF-11 a passkey ends the count of wrong codes', async ({ open }) => {
    const { app, begin, now } = await arrange(open)
    for (let round = 0; round < 2; round++) {
      const person = await begin()
      await guessWrongly(person.agent, now(), 4)
      await usePasskey(person)
      expect(app.ended()).toBe('signedIn')
      app.clock.advance(1)
    }
  }),

  scenario('SF-17 SF-03 a form without a readable answer shows the page again', async ({ open }) => {
    const { app, begin, now } = await arrange(open)
    const { agent, device } = await begin()
    await guessWrongly(agent, now(), 4)
    const { options } = await askFactorOptions(agent)
    const answer = device.get(options)
    const csrfToken = await csrfOf(agent)
    const forms: Record<string, string>[] = [
      { action: 'authenticate', data: 'nothing' },
      { action: 'register', data: JSON.stringify(answer) },
      { data: JSON.stringify(answer) },
      { action: 'authenticate' },
    ]
    for (const form of forms) {
      const response = await agent.send('/auth/factor', { form: { csrfToken, ...form } })
      expect([response.status, app.ended()]).toEqual([422, 'awaitingCode'])
    }
    expect((await agent.send('/auth/factor?action=register')).status).toBe(200)
    expect(app.ended()).toBe('awaitingCode')
    await postPasskey(agent, answer)
    expect(app.ended()).toBe('signedIn')
  }),

  scenario('SF-17 SF-15 without passkeys, or without the script, there is no button', async ({ open }) => {
    const unregistered = open(withPasskeys({ config: withFactor() }))
    const agent = unregistered.agent()
    await signIn(unregistered, agent)
    await enrol(unregistered, agent)
    const plain = open({ strategy: 'database', config: withFactor() })
    const other = plain.agent()
    await signIn(plain, other)
    await enrol(plain, other)
    for (const [app, each] of [
      [unregistered, agent],
      [plain, other],
    ] as const) {
      const html = await (await each.send('/auth/factor')).text()
      expect([html.includes('passkey'), html.includes('<script')]).toEqual([false, false])
      expect((await askFactorOptions(each)).response.status).toBe(400)
      expect(app.ended()).toBe('unavailable')
      const { device } = createPerson(app)
      device.create({ challenge: 'AAAA' })
      expect((await postPasskey(each, device.get({ challenge: 'AAAA' }))).status).toBe(422)
    }
    const { begin } = await arrange(open, { webauthn: { simpleWebAuthnBrowserVersion: false } })
    const person = await begin()
    expect(await (await person.agent.send('/auth/factor')).text()).not.toContain('passkey')
    expect((await usePasskey(person)).status).toBe(302)
  }),
]
