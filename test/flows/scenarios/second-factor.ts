import { expect } from 'vitest'
import { memoryRevocations } from '../../../src/adapters/memory.ts'
import type { AuthConfig } from '../../../src/types/config.ts'
import type { RateLimitParams } from '../../../src/types/rate-limit.ts'
import { csrfOf, origin, sessionOf, signIn, signOut, type AppOptions } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { askForLink, mailProvider, pathOf, type Mail } from '../../support/mail.ts'
import {
  openPasswordApp,
  resetPassword,
  changePassword,
  signIn as enterPassword,
} from '../../support/passwords.ts'
import { codeOf, enrol, enterCode, openEnrolment, withFactor } from '../../support/second-factor.ts'
import { claimsOf, heldSession, plant, rowOf } from '../../support/session-cookie.ts'
import { logoutClaims, postLogout, signLogout } from '../../support/oidc/logout-token.ts'
import { failing, unreachable } from '../../support/watch-store.ts'
import { createPerson, perform, register, withPasskeys } from '../../support/webauthn/app.ts'
import { ways } from '../../support/ways.ts'
import { scenario, type Stage } from '../scenario.ts'

const pendingCookie = '__Host-authjs.pending-sign-in'
const deviceCookie = '__Host-authjs.remembered-device'
const factorPage = `${origin}/auth/factor`
const configuration = `${origin}/auth/error?error=Configuration`
const locationOf = (response: Response) => response.headers.get('location')
const strategies = ['database', 'jwt-stored'] as const

/** An application of whose user the authenticator app is enrolled. */
async function arrange(open: Stage['open'], options: AppOptions & { readonly factor?: object } = {}) {
  const { factor, config, ...others } = options
  const app = open({ strategy: 'database', ...others, config: { ...withFactor(factor), ...config } })
  const owner = app.agent()
  await signIn(app, owner)
  const enrolled = await enrol(app, owner)
  const now = () => codeOf(enrolled.secret, app.clock.now())
  /** Signs in with the first factor, in a new browser. */
  const begin = async () => {
    const agent = app.agent()
    expect(locationOf(await signIn(app, agent, 'idp', { callbackUrl: '/home' }))).toBe(factorPage)
    return agent
  }
  return { app, owner, ...enrolled, now, begin }
}

/** Another code of six digits. */
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

const authenticationOf = async (agent: Agent) => {
  const { amr, auth_time } = (await sessionOf(agent)) ?? {}
  return { amr, auth_time }
}

/** Codes of authenticator apps, after every way to sign in. */
export const secondFactorScenarios = [
  ...Object.entries(ways).flatMap(([name, prepare]) =>
    strategies.map((strategy) =>
      scenario(
        `SF-01 SF-02 SF-03 SF-04 SF-07 ${name} needs the second factor (${strategy})`,
        async ({ open }) => {
          const { app, enter, later = [] } = await prepare(open, strategy, withFactor())
          const owner = app.agent()
          await enter(owner)
          expect(app.ended()).toBe('signedIn')
          expect((await authenticationOf(owner)).amr).toHaveLength(1)
          const { secret, recovery } = await enrol(app, owner)
          expect([app.ended(), recovery.length, new Set(recovery).size]).toEqual(['enrolled', 10, 10])
          for (const again of [enter, ...later]) {
            const agent = app.agent()
            const before = app.events.length
            const sessions = app.rows.sessions().length
            const response = await again(agent)
            expect(locationOf(response)).toBe(factorPage)
            expect(app.ended()).toBe('held')
            expect(heldSession(agent)).toBe('')
            expect(app.events.slice(before).filter(({ event }) => event === 'signIn')).toEqual([])
            if (strategy === 'database' && again === enter) expect(app.rows.sessions()).toHaveLength(sessions)
            expect(await sessionOf(agent)).toBeNull()
            app.clock.advance(30)
            const page = await agent.send('/auth/factor')
            expect([page.status, app.ended(), page.headers.get('cache-control')]).toEqual([
              200,
              'awaitingCode',
              'private, no-cache, no-store',
            ])
            const done = await enterCode(agent, codeOf(secret, app.clock.now()))
            expect([locationOf(done), app.ended()]).toEqual([`${origin}/home`, 'signedIn'])
            expect(app.events.at(-1)).toMatchObject({
              event: 'signIn',
              message: { user: { id: app.rows.users()[0]?.id } },
            })
            expect(agent.cookies()[pendingCookie]).toBeUndefined()
            const { amr, auth_time } = await authenticationOf(agent)
            expect([...(amr as string[])].slice(-2).toSorted()).toEqual(['mfa', 'otp'])
            expect(auth_time).toBe(app.clock.now() / 1000)
          }
        },
      ),
    ),
  ),

  scenario(
    'SF-01 POL-04 a passkey that an enrolled user registers keeps the second factor',
    async ({ open }) => {
      const app = open(withPasskeys({ config: { experimental: { enableWebAuthn: true }, ...withFactor() } }))
      const person = await register(app)
      await enrol(app, person.agent)
      const second = { ...createPerson(app), agent: person.agent }
      const before = await authenticationOf(person.agent)
      app.clock.advance(60)
      await perform(second, { fields: { action: 'register' } })
      expect(app.ended()).toBe('signedIn')
      expect(await authenticationOf(person.agent)).toEqual(before)
      app.clock.advance(901)
      const response = await perform(
        { ...createPerson(app), agent: person.agent },
        { fields: { action: 'register' } },
      )
      expect(app.ended()).toBe('challenged')
      expect(locationOf(response)).toContain(`${factorPage}?callbackUrl=`)
    },
  ),

  scenario('SF-21 a code is read as people write it, at an enrolment and at a sign-in', async ({ open }) => {
    const app = open({ strategy: 'database', config: withFactor() })
    const owner = app.agent()
    await signIn(app, owner)
    const { secret, fields } = await openEnrolment(owner)
    const inArabic = (code: string) =>
      code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x0660 + Number(digit)))
    const grouped = (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`
    for (const code of ['12345\u00e9', '\ud80012345', '\u00bd\u00bd', '', ' - ', '1'.repeat(5000)]) {
      const refused = await owner.send('/auth/factor-enrolment', { form: { ...fields, code } })
      expect([refused.status, app.ended()]).toEqual([422, 'awaitingCode'])
    }
    const code = inArabic(codeOf(secret, app.clock.now()))
    const html = await (await owner.send('/auth/factor-enrolment', { form: { ...fields, code } })).text()
    const recovery = /<code[^>]*>([a-z2-7-]{27})<\/code>/.exec(html)?.[1] ?? ''
    for (const write of [inArabic, grouped, () => inArabic(recovery.toUpperCase())]) {
      app.clock.advance(30)
      const agent = app.agent()
      await signIn(app, agent)
      for (const wrongText of ['12345\u00e9', '\ud80012345'])
        expect([(await enterCode(agent, wrongText)).status, app.ended()]).toEqual([422, 'awaitingCode'])
      await enterCode(agent, write(codeOf(secret, app.clock.now())))
      expect([app.ended(), heldSession(agent)]).toEqual(['signedIn', expect.stringMatching(/./)])
    }
    expect(app.errors).toEqual([])
  }),

  scenario('SF-02 callbacks and events get the data of the provider', async ({ open }) => {
    for (const strategy of strategies) {
      const asked: Parameters<NonNullable<NonNullable<AuthConfig['callbacks']>['jwt']>>[0][] = []
      const jwt: NonNullable<AuthConfig['callbacks']>['jwt'] = (params) => {
        asked.push(params)
        return params.token
      }
      const { app, now, begin } = await arrange(open, { strategy, config: { callbacks: { jwt } } })
      const first = asked.find(({ account }) => account)
      asked.length = 0
      const agent = await begin()
      expect(asked).toEqual([])
      await enterCode(agent, now())
      const second = asked.find(({ account }) => account)
      expect(Boolean(second)).toBe(strategy !== 'database')
      expect(second?.profile?.sub).toEqual(first?.profile?.sub)
      expect(second?.account?.access_token === undefined).toBe(first?.account?.access_token === undefined)
      expect(app.events.at(-1)?.message).toMatchObject({
        account: { provider: 'idp' },
        profile: { sub: 'ada' },
      })
    }
  }),

  scenario('SF-02 BCL-01 the provider can end a session with a second factor', async ({ open }) => {
    for (const strategy of strategies) {
      const config = strategy === 'database' ? {} : { jwt: { revocations: memoryRevocations() } }
      const { app, now, begin, owner } = await arrange(open, {
        strategy,
        config,
        provider: { backChannelLogout: true },
      })
      const agent = await begin()
      await enterCode(agent, now())
      expect(await sessionOf(agent)).not.toBeNull()
      await postLogout(app, await signLogout(logoutClaims(app, { sub: 'ada' })))
      expect([await sessionOf(agent), await sessionOf(owner)]).toEqual([null, null])
    }
  }),

  scenario('SF-02 SF-10 TX-19 a pending sign-in works in its browser only, and in time', async ({ open }) => {
    const { app, now, begin, owner } = await arrange(open)
    const agent = await begin()
    const copy = agent.cookies()[pendingCookie] ?? ''
    const needsSignIn = async (other: Agent) => {
      expect(locationOf(await enterCode(other, now()))).toContain('/auth/signin?error=SessionRequired')
      expect(app.ended()).toBe('anonymous')
      expect(await sessionOf(other)).toBeNull()
    }
    const thief = app.agent()
    await csrfOf(thief)
    thief.set(`${pendingCookie}=${copy}; Path=/; Secure`)
    await needsSignIn(thief)
    await signOut(agent)
    agent.set(`${pendingCookie}=${copy}; Path=/; Secure`)
    await needsSignIn(agent)
    const late = await begin()
    const kept = late.cookies()[pendingCookie] ?? ''
    app.clock.advance(600)
    late.set(`${pendingCookie}=${kept}; Path=/; Secure`)
    await needsSignIn(late)
    const replaced = await begin()
    await app.store.deleteFactor(app.rows.users()[0]?.id ?? '')
    await needsSignIn(replaced)
    expect(await sessionOf(owner)).not.toBeNull()
  }),

  scenario('SF-05 SU-16 a code works once, also if it is sent twice at the same time', async ({ open }) => {
    const { app, secret, now, begin } = await arrange(open)
    const [first, second, third] = [await begin(), await begin(), await begin()]
    const used = now()
    await csrfOf(first)
    await csrfOf(second)
    const statuses = await Promise.all(
      [first, second].map(async (agent) => (await enterCode(agent, used)).status),
    )
    expect(statuses.toSorted((one, other) => one - other)).toEqual([302, 422])
    const reused = await enterCode(third, used)
    expect([reused.status, app.ended()]).toEqual([422, 'awaitingCode'])
    expect(await reused.text()).toContain('already used')
    const earlier = await enterCode(third, codeOf(secret, app.clock.now() - 30_000))
    expect(earlier.status).toBe(422)
    app.clock.advance(60)
    expect((await enterCode(third, codeOf(secret, app.clock.now() - 60_000))).status).toBe(422)
    expect((await enterCode(third, codeOf(secret, app.clock.now() + 30_000))).status).toBe(302)
  }),

  scenario(
    'FI-09 SF-02 SF-05 SF-06 a code whose sign-in fails on the server works once more, in the same browser',
    async ({ open }) => {
      for (const kind of ['code', 'recovery code'])
        for (const operation of ['createSession', 'getUser'] as const) {
          const failures = { left: 0 }
          const { app, now, recovery, begin } = await arrange(open, { wrap: failing(operation, failures) })
          const [agent, other] = [await begin(), await begin()]
          const code = kind === 'code' ? now() : (recovery[0] ?? '')
          const before = app.rows.sessions().length
          failures.left = 1
          expect(locationOf(await enterCode(agent, code))).toBe(configuration)
          // The user is read for the notice that a recovery code was used, or when the sign-in continues.
          const first = kind === 'code' ? 'passed' : 'restored'
          const ended = operation === 'getUser' ? first : 'faulted'
          expect([app.ended(), await sessionOf(agent)]).toEqual([ended, null])
          expect(app.rows.sessions()).toHaveLength(before)
          expect(locationOf(await enterCode(agent, code))).toBe(`${origin}/home`)
          expect(app.ended()).toBe('signedIn')
          expect(await sessionOf(agent)).not.toBeNull()
          expect(agent.cookies()[pendingCookie]).toBeUndefined()
          expect((await enterCode(other, code)).status).toBe(422)
        }
    },
  ),

  scenario('FI-09 SF-07 a sign-in that fails on the server gets no session token', async ({ open }) => {
    const [store, callback] = [{ left: 0 }, { left: 0 }]
    const { app, now, begin } = await arrange(open, {
      strategy: 'jwt-stored',
      wrap: failing('getUser', store),
      config: { callbacks: { jwt: ({ token }) => (callback.left-- > 0 ? unreachable() : token) } },
    })
    const agent = await begin()
    for (const failures of [store, callback]) {
      failures.left = 1
      expect(locationOf(await enterCode(agent, now()))).toBe(configuration)
      expect([app.ended(), heldSession(agent)]).toEqual([failures === store ? 'passed' : 'faulted', ''])
    }
    await enterCode(agent, now())
    expect(app.ended()).toBe('signedIn')
  }),

  scenario('FI-09 SF-08 a code works once more if the session could not be replaced', async ({ open }) => {
    const failures = { left: 0 }
    const { app, now, owner } = await arrange(open, { wrap: failing('createSession', failures) })
    const code = now()
    const held = heldSession(owner)
    failures.left = 1
    await enterCode(owner, code, { callbackUrl: '/account' })
    expect([app.ended(), heldSession(owner)]).toEqual(['restored', held])
    await enterCode(owner, code, { callbackUrl: '/account' })
    expect(app.ended()).toBe('steppedUp')
  }),

  scenario('FI-09 SF-11 a failure does not undo what another request changed', async ({ open }) => {
    const failures = { left: 0 }
    let meanwhile: () => Promise<unknown> = async () => undefined
    const { app, now, recovery, begin } = await arrange(open, {
      wrap: (store) => ({
        ...failing('createSession', failures)(store),
        async getUser(id) {
          await meanwhile()
          return store.getUser?.(id) ?? null
        },
      }),
    })
    const [agent, other] = [await begin(), await begin()]
    meanwhile = async () => {
      meanwhile = async () => undefined
      await enterCode(other, wrong(now()))
    }
    failures.left = 1
    await enterCode(agent, recovery[0] ?? '')
    expect(app.ended()).toBe('faulted')
    // The wrong code was counted after the recovery code, whose use it would otherwise undo.
    expect((await enterCode(agent, recovery[0] ?? '')).status).toBe(422)
    expect((await enterCode(agent, recovery[1] ?? '')).status).toBe(302)
  }),

  scenario('SF-06 SU-16 a recovery code works once', async ({ open }) => {
    const { app, recovery, begin } = await arrange(open)
    const [agent, other, third] = [await begin(), await begin(), await begin()]
    const [code = '', next = ''] = recovery
    expect((await enterCode(agent, code.toUpperCase().replaceAll('-', ' '))).status).toBe(302)
    expect(app.ended()).toBe('signedIn')
    expect((await enterCode(other, code)).status).toBe(422)
    const statuses = await Promise.all(
      [other, third].map(async (each) => (await enterCode(each, next)).status),
    )
    expect(statuses.toSorted((one, other) => one - other)).toEqual([302, 422])
  }),

  scenario(
    'SF-11 OPT-003 wrong codes are counted for the user, and a recovery code still works',
    async ({ open }) => {
      const asked: RateLimitParams[] = []
      const callbacks = { rateLimit: (attempt: RateLimitParams) => asked.push(attempt) < 8 }
      const { app, now, begin, recovery } = await arrange(open, { config: { callbacks } })
      const agents = [await begin(), await begin()] as const
      for (let guess = 0; guess < 5; guess++) {
        const response = await enterCode(agents[guess % 2 === 0 ? 0 : 1], wrong(now()))
        expect([response.status, app.ended()]).toEqual([422, 'awaitingCode'])
      }
      const refused = await enterCode(agents[1], now())
      expect([locationOf(refused), app.ended()]).toEqual([
        `${origin}/auth/error?error=RateLimited&retryAfter=30`,
        'denied',
      ])
      expect(asked.at(-1)).toMatchObject({
        type: 'second-factor',
        provider: 'idp',
        account: app.rows.users()[0]?.id,
      })
      app.clock.advance(30)
      await enterCode(agents[1], wrong(now()))
      app.clock.advance(30)
      const limited = await enterCode(agents[1], now())
      expect(app.ended()).toBe('denied')
      expect(locationOf(limited)).toContain('RateLimited')
      expect((await enterCode(agents[0], recovery[0] ?? '')).status).toBe(302)
      expect(app.ended()).toBe('signedIn')
    },
  ),

  scenario('SF-11 a right code ends the count', async ({ open }) => {
    const { app, now, begin } = await arrange(open)
    for (let round = 0; round < 2; round++) {
      const agent = await begin()
      for (let guess = 0; guess < 4; guess++) await enterCode(agent, wrong(now()))
      await enterCode(agent, now())
      expect(app.ended()).toBe('signedIn')
      app.clock.advance(30)
    }
  }),

  scenario('SF-08 SF-07 entering a code while signed in replaces the session', async ({ open }) => {
    for (const strategy of strategies) {
      const { app, now, begin, owner } = await arrange(open, { strategy, factor: { rememberFor: 86_400 } })
      const agent = await begin()
      await enterCode(agent, now(), { remember: 'true' })
      expect(agent.cookies()[deviceCookie]).toBeDefined()
      await signOut(agent)
      app.clock.advance(30)
      expect(locationOf(await signIn(app, agent))).not.toBe(factorPage)
      const since = app.clock.now() / 1000
      expect(await authenticationOf(agent)).toEqual({ amr: ['fed'], auth_time: since })
      const earlier = heldSession(agent)
      const row = await rowOf(app, agent)
      const page = await agent.send('/auth/factor?callbackUrl=/account')
      expect([page.status, app.ended(), (await page.text()).includes('on this device')]).toEqual([
        200,
        'awaitingCode',
        false,
      ])
      app.clock.advance(60)
      const done = await enterCode(agent, now(), { callbackUrl: '/account' })
      expect([locationOf(done), app.ended()]).toEqual([`${origin}/account`, 'steppedUp'])
      expect(await authenticationOf(agent)).toEqual({ amr: ['fed', 'otp', 'mfa'], auth_time: since + 60 })
      expect(heldSession(agent)).not.toBe(earlier)
      if (strategy === 'database') expect((await rowOf(app, agent))?.expires).toEqual(row?.expires)
      const thief = app.agent()
      plant(thief, earlier)
      expect((await authenticationOf(thief)).amr).toEqual(strategy === 'database' ? undefined : ['fed'])
      expect(await sessionOf(owner)).not.toBeNull()
    }
  }),

  scenario('SF-07 a client cannot change amr and auth_time', async ({ open }) => {
    const app = open({
      strategy: 'jwt-stored',
      config: { ...withFactor(), callbacks: { jwt: ({ token, session }) => ({ ...token, ...session }) } },
    })
    const agent = app.agent()
    await signIn(app, agent)
    const data = { amr: ['mfa'], auth_time: 9_999_999_999, name: 'Eve' }
    await agent.send('/auth/session', { json: { csrfToken: await csrfOf(agent), data } })
    expect(await sessionOf(agent)).toMatchObject({
      user: { name: 'Eve' },
      amr: ['fed'],
      auth_time: app.clock.now() / 1000,
    })
    expect(await claimsOf(app, heldSession(agent))).toMatchObject({ amr: ['fed'] })
  }),

  scenario(
    'SF-09 PW-09 PW-10 a remembered device is forgotten after a new password or enrolment',
    async ({ open }) => {
      for (const strategy of strategies)
        for (const end of ['reset', 'change', 'enrolment', 'time', 'nothing'] as const) {
          const app = openPasswordApp(open, { strategy, config: withFactor({ rememberFor: 86_400 }) })
          await app.addUser()
          const owner = app.agent()
          await enterPassword(owner)
          const { secret } = await enrol(app, owner)
          const agent = app.agent()
          await enterPassword(agent)
          await enterCode(agent, codeOf(secret, app.clock.now()), { remember: 'true' })
          await signOut(agent)
          const copy = agent.cookies()[deviceCookie] ?? ''
          app.clock.advance(30)
          if (end === 'reset') {
            const browser = app.agent()
            await resetPassword(app, browser)
            await enterCode(browser, codeOf(secret, app.clock.now()))
            expect(app.ended()).toBe('signedIn')
          }
          if (end === 'change') await changePassword(owner)
          if (end === 'enrolment') await enrol(app, owner)
          if (end === 'time') app.clock.advance(86400)
          agent.set(`${deviceCookie}=${copy}; Path=/; Secure`)
          const password = end === 'reset' || end === 'change' ? 'a new password of mine' : undefined
          const response = await enterPassword(agent, 'ada@example.com', password)
          expect(locationOf(response) === factorPage, end).toBe(end !== 'nothing')
          if (end === 'nothing') expect((await authenticationOf(agent)).amr).toEqual(['pwd'])
        }
    },
  ),

  scenario('SF-09 POL-01 a remembered device cannot reset the password without a code', async ({ open }) => {
    for (const strategy of strategies) {
      const app = openPasswordApp(open, { strategy, config: withFactor({ rememberFor: 86_400 }) })
      await app.addUser()
      const owner = app.agent()
      await enterPassword(owner)
      const { secret } = await enrol(app, owner)
      const agent = app.agent()
      await enterPassword(agent)
      await enterCode(agent, codeOf(secret, app.clock.now()), { remember: 'true' })
      await signOut(agent)
      const before = await app.store.getPassword('ada')
      expect(locationOf(await resetPassword(app, agent))).toBe(factorPage)
      expect(await app.store.getPassword('ada')).toBe(before)
      expect(await sessionOf(agent)).toBeNull()
    }
  }),

  scenario('SF-04 SF-13 SF-16 an enrolment needs a recent sign-in, and a right code', async ({ open }) => {
    for (const strategy of strategies) {
      const app = open({ strategy, config: withFactor() })
      const [agent, other] = [app.agent(), app.agent()]
      await agent.send('/auth/factor-enrolment')
      expect(app.ended()).toBe('anonymous')
      await signIn(app, agent)
      const unenrolled = await agent.send('/auth/factor?callbackUrl=/account')
      expect(app.ended()).toBe('unenrolled')
      expect(locationOf(unenrolled)).toContain('/auth/factor-enrolment?callbackUrl=')
      app.idp.choose('bob')
      await signIn(app, other)
      const { html, secret, fields } = await openEnrolment(agent)
      expect(html).toContain('otpauth://totp/Example:')
      expect(secret).toHaveLength(32)
      const strange = await openEnrolment(other)
      const post = async (form: Record<string, string>) => agent.send('/auth/factor-enrolment', { form })
      await post({ ...fields, csrfToken: 'forged', code: codeOf(secret, app.clock.now()) })
      expect(app.ended()).toBe('refused')
      for (const form of [
        { ...fields, code: wrong(codeOf(secret, app.clock.now())) },
        { ...fields, setup: strange.fields.setup ?? '', code: codeOf(strange.secret, app.clock.now()) },
      ]) {
        const response = await post(form)
        expect([response.status, app.ended()]).toEqual([422, 'awaitingCode'])
      }
      const userId = app.rows.users()[0]?.id ?? ''
      expect(await app.store.getFactor(userId)).toBeNull()
      const before = heldSession(agent)
      const done = await post({ ...fields, code: codeOf(secret, app.clock.now()) })
      expect([done.status, app.ended(), done.headers.get('cache-control')]).toEqual([
        200,
        'enrolled',
        'private, no-cache, no-store',
      ])
      expect(await done.text()).toContain(`href="${origin}/account"`)
      expect(await app.store.getFactor(userId)).not.toContain(secret)
      if (strategy === 'database') expect(await app.store.getSessionAndUser(before)).toBeNull()
      expect(heldSession(agent)).not.toBe(before)
      expect((await authenticationOf(agent)).amr).toEqual(['fed', 'otp', 'mfa'])
      expect(JSON.stringify([app.errors.map(String), app.debugs, app.events])).not.toContain(secret)
      app.clock.advance(900)
      await openEnrolment(agent)
      expect(app.ended()).toBe('awaitingCode')
      app.clock.advance(1)
      await agent.send('/auth/factor-enrolment')
      expect(app.ended()).toBe('challenged')
      await other.send('/auth/factor-enrolment')
      expect(app.ended()).toBe('anonymous')
    }
  }),

  scenario('SF-13 a session without the second factor cannot replace it', async ({ open }) => {
    const { app, owner } = await arrange(open)
    const stolen = app.agent()
    const earlier = app.rows.sessions()[0]
    await app.store.createSession({
      sessionToken: 'a'.repeat(64),
      userId: earlier?.userId ?? '',
      expires: new Date(app.clock.now() + 3_600_000),
    })
    plant(stolen, 'a'.repeat(64))
    expect(await sessionOf(stolen)).not.toBeNull()
    const response = await stolen.send('/auth/factor-enrolment')
    expect([locationOf(response)?.includes('/auth/factor?'), app.ended()]).toEqual([true, 'challenged'])
    expect((await authenticationOf(owner)).amr).toContain('mfa')
  }),

  scenario(
    'SF-04 EVT-012 of two enrolments that replace a factor at once, only one succeeds',
    async ({ open }) => {
      const { app, owner } = await arrange(open)
      const [one, two] = [await openEnrolment(owner), await openEnrolment(owner)]
      const send = async ({ fields, secret }: typeof one) =>
        (
          await owner.send('/auth/factor-enrolment', {
            form: { ...fields, code: codeOf(secret, app.clock.now()) },
          })
        ).status
      app.events.length = 0
      expect((await Promise.all([send(one), send(two)])).toSorted((a, b) => a - b)).toEqual([200, 422])
      const told = app.events.filter(({ event }) => event === 'updateSecondFactor')
      expect(told).toMatchObject([{ message: { user: { email: 'ada@example.com' }, change: 'enrolled' } }])
    },
  ),

  scenario('AL-04 POL-01 the first verification of an address keeps the second factor', async ({ open }) => {
    const mails: Mail[] = []
    const app = open(
      withPasskeys({
        config: { experimental: { enableWebAuthn: true }, ...withFactor() },
        providers: [mailProvider(mails)],
      }),
    )
    await app.store.createUser({ id: 'ada', email: 'ada@example.com', emailVerified: null })
    const account = { userId: 'ada', type: 'oidc', provider: 'idp', providerAccountId: 'ada' } as const
    await app.store.linkAccount(account)
    const owner = app.agent()
    await signIn(app, owner)
    const { secret } = await enrol(app, owner)
    const agent = app.agent()
    await askForLink(agent, 'ada@example.com')
    await agent.send(pathOf(mails.at(-1) as Mail))
    expect(app.ended()).toBe('held')
    expect(await sessionOf(owner)).not.toBeNull()
    expect(app.rows.users()).toMatchObject([{ emailVerified: null }])
    app.clock.advance(30)
    await enterCode(agent, codeOf(secret, app.clock.now()))
    expect(app.ended()).toBe('signedIn')
    expect(app.rows.users()).toMatchObject([{ emailVerified: new Date(app.clock.now()) }])
    expect(await sessionOf(owner)).toBeNull()
    expect(await app.store.getFactor('ada')).not.toBeNull()
  }),

  scenario('SF-04 FI-01 a factor that cannot be opened or stored is a fault', async ({ open }) => {
    const { app, now, begin } = await arrange(open)
    const agent = await begin()
    const userId = app.rows.users()[0]?.id ?? ''
    const kept = (await app.store.getFactor(userId)) ?? ''
    await app.store.setFactor(userId, 'something else', { factor: kept })
    await enterCode(agent, now())
    expect(app.ended()).toBe('faulted')
    expect(heldSession(agent)).toBe('')
    await signIn(app, app.agent())
    expect(app.ended()).toBe('faulted')
    await app.store.setFactor(userId, kept, { factor: 'something else' })
    const broken = open({
      strategy: 'database',
      config: withFactor(),
      wrap: (store) => ({ ...store, setFactor: unreachable }),
    })
    const other = broken.agent()
    await signIn(broken, other)
    await enrol(broken, other)
    expect(broken.ended()).toBe('faulted')
  }),

  scenario(
    'DEC-21a SF-02 the jwt callback can refuse the session after the second factor',
    async ({ open }) => {
      let refuses = false
      const jwt: NonNullable<AuthConfig['callbacks']>['jwt'] = ({ token }) => (refuses ? null : token)
      const { app, now, begin } = await arrange(open, {
        strategy: 'jwt-stored',
        config: { callbacks: { jwt } },
      })
      const agent = await begin()
      refuses = true
      expect(locationOf(await enterCode(agent, now()))).toBe(`${origin}/auth/error?error=AccessDenied`)
      expect(app.ended()).toBe('denied')
    },
  ),

  scenario('TX-18 SF-03 a code without a CSRF token, or twice, is not compared', async ({ open }) => {
    const { app, now, begin } = await arrange(open)
    const agent = await begin()
    await agent.send('/auth/factor', { form: { code: now() } })
    expect(app.ended()).toBe('refused')
    const twice = new URLSearchParams([
      ['csrfToken', await csrfOf(agent)],
      ['code', now()],
      ['code', now()],
    ])
    expect((await agent.send('/auth/factor', { form: twice })).status).toBe(422)
    expect((await enterCode(agent, now())).status).toBe(302)
  }),

  scenario('SF-15 without the option, there are no routes and no claims', async ({ open }) => {
    for (const strategy of strategies) {
      const app = open({ strategy })
      const agent = app.agent()
      await signIn(app, agent)
      expect(Object.keys((await sessionOf(agent)) ?? {})).toEqual(['user', 'expires'])
      for (const action of ['factor', 'factor-enrolment']) {
        expect((await agent.send(`/auth/${action}`)).status).toBe(404)
        expect((await agent.send(`/auth/${action}`, { form: {} })).status).toBe(404)
      }
    }
  }),

  scenario('SF-02 SE-02 a sign-in with a second factor revokes the earlier token', async ({ open }) => {
    const config = { jwt: { revocations: memoryRevocations() } }
    const { app, owner, now } = await arrange(open, { strategy: 'jwt-stored', config })
    const earlier = heldSession(owner)
    await signIn(app, owner)
    await enterCode(owner, now())
    expect(app.ended()).toBe('signedIn')
    const thief = app.agent()
    plant(thief, earlier)
    expect(await sessionOf(thief)).toBeNull()
  }),

  scenario('SF-10 SF-13 SE-04 a session that is not live does not count', async ({ open }) => {
    for (const strategy of strategies)
      for (const action of ['factor', 'factor-enrolment']) {
        const session = { strategy: strategy === 'database' ? 'database' : 'jwt', maxAge: 3600 } as const
        const app = open({ strategy, config: { ...withFactor(), session } })
        const expectNobody = async (agent: Agent) => {
          await agent.send(`/auth/${action}`)
          expect(app.ended()).toBe('anonymous')
        }
        const [stranger, gone, late] = [app.agent(), app.agent(), app.agent()]
        plant(stranger, 'unknown')
        await expectNobody(stranger)
        await signIn(app, late)
        const held = heldSession(late)
        app.clock.advance(3600)
        plant(late, held)
        await expectNobody(late)
        await signIn(app, gone)
        await app.store.deleteUser(app.rows.users()[0]?.id ?? '')
        await expectNobody(gone)
      }
  }),
]
