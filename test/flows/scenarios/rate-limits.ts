import { expect } from 'vitest'
import type { RateLimitParams } from '../../../src/types/rate-limit.ts'
import { csrfOf, sessionOf } from '../../support/app.ts'
import { followLink } from '../../support/follow-link.ts'
import { askForLink, openMailApp, pathOf, type Mail } from '../../support/mail.ts'
import { unreachable, watching, type Call } from '../../support/watch-store.ts'
import { withPasskeys } from '../../support/webauthn/app.ts'
import { scenario } from '../scenario.ts'

const tooMany = 'https://app.test/auth/error?error=RateLimited'

/** Allows a number of attempts, and records each. */
function allowing(count: number) {
  const asked: RateLimitParams[] = []
  return { asked, rateLimit: (params: RateLimitParams) => asked.push(params) <= count }
}

/** Attempts over the rate limit. */
export const rateLimitScenarios = [
  scenario('OPT-003 an address over the limit gets no more links', async ({ open }) => {
    const { asked, rateLimit } = allowing(1)
    const calls: Call[] = []
    const app = openMailApp(open, { wrap: watching(calls), config: { callbacks: { rateLimit } } })
    await askForLink(app.agent(), 'Ada@Example.com')
    expect(app.ended()).toBe('linkMailed')
    calls.length = 0
    const response = await askForLink(app.agent(), 'ada@example.com')
    expect(response.headers.get('location')).toBe(tooMany)
    expect(app.ended()).toBe('denied')
    expect(app.mails).toHaveLength(1)
    expect(calls).toEqual([])
    expect(asked.map(({ request: _, ...attempt }) => attempt)).toEqual(
      Array.from({ length: 2 }, () => ({ type: 'email', provider: 'mail', identifier: 'ada@example.com' })),
    )
    expect(app.errors.map(({ name }) => name)).toEqual(['RateLimited'])
  }),

  scenario(
    'OPT-003 SU-05 guesses at the code of a link are counted, and over the limit no code is looked up',
    async ({ open }) => {
      const guesses: RateLimitParams[] = []
      const rateLimit = (params: RateLimitParams) =>
        params.type !== 'verification' || guesses.push(params) <= 2
      const calls: Call[] = []
      const app = openMailApp(open, {
        wrap: watching(calls),
        mail: { generateVerificationToken: () => '314159' },
        config: { callbacks: { rateLimit } },
      })
      const ada = app.agent()
      await askForLink(ada, 'Ada@Example.com')
      const [mail] = app.mails as [Mail]
      const eve = app.agent()
      for (const token of ['000000', '000001']) {
        const refused = await followLink(eve, pathOf(mail, { token }))
        expect(refused.headers.get('location')).toBe('https://app.test/auth/error?error=Verification')
      }
      calls.length = 0
      for (const [agent, token] of [
        [eve, '314159'],
        [ada, '314159'],
      ] as const) {
        const refused = await followLink(agent, pathOf(mail, { token }))
        expect(refused.headers.get('location')).toBe(tooMany)
        expect(app.ended()).toBe('denied')
        expect(await sessionOf(agent)).toBeNull()
      }
      expect(calls.map(({ operation }) => operation)).not.toContain('useVerificationToken')
      expect(guesses.map(({ request: _, ...attempt }) => attempt)).toEqual(
        Array.from({ length: 4 }, () => ({
          type: 'verification',
          provider: 'mail',
          identifier: 'ada@example.com',
        })),
      )
      guesses.length = 0
      await ada.send(pathOf(mail))
      expect(app.ended()).toBe('signedIn')
    },
  ),

  scenario('OPT-003 the page that asks to confirm a link does not count as a guess', async ({ open }) => {
    const { asked, rateLimit } = allowing(1)
    const app = openMailApp(open, { config: { callbacks: { rateLimit } } })
    await askForLink(app.agent(), 'ada@example.com')
    const [mail] = app.mails as [Mail]
    for (let look = 0; look < 3; look++) await app.agent().send(pathOf(mail))
    expect(app.ended()).toBe('awaitingConfirmation')
    expect(asked).toHaveLength(1)
  }),

  scenario('OPT-010 SU-05 guessable codes cause one warning', async ({ open }) => {
    for (const [token, warnings] of [
      ['314159', ['weak-link-token']],
      ['6f'.repeat(16), []],
    ] as const) {
      const app = openMailApp(open, { mail: { generateVerificationToken: () => token } })
      for (const name of ['ada', 'bob', 'eve']) await askForLink(app.agent(), `${name}@example.com`)
      expect(app.mails).toHaveLength(3)
      expect(app.warnings.filter((code) => code === 'weak-link-token')).toEqual(warnings)
    }
  }),

  scenario('OPT-003 credentials over the limit are not checked, and the page says so', async ({ open }) => {
    const { asked, rateLimit } = allowing(1)
    let looks = 0
    const authorize = () => (looks++, { id: 'u1', name: 'Ada' })
    const form = { id: 'form', name: 'Form', type: 'credentials' as const, credentials: {}, authorize }
    const app = open({ providers: [form], config: { callbacks: { rateLimit } } })
    const guess = async () => {
      const agent = app.agent()
      const csrfToken = await csrfOf(agent)
      const sent = await agent.send('/auth/callback/form', { form: { csrfToken, password: 'guess' } })
      return { agent, sent }
    }
    expect(await sessionOf((await guess()).agent)).toMatchObject({ user: { name: 'Ada' } })
    const second = await guess()
    expect(second.sent.headers.get('location')).toBe(tooMany)
    expect(app.ended()).toBe('denied')
    expect((await second.agent.send('/auth/error?error=RateLimited')).status).toBe(429)
    expect(await sessionOf(second.agent)).toBeNull()
    expect(looks).toBe(1)
    expect(asked[1]).toMatchObject({
      type: 'credentials',
      provider: 'form',
      credentials: { password: 'guess' },
    })
    expect(asked[1]?.request.url).toBe('https://app.test/auth/callback/form')
  }),

  scenario(
    'RL-01 RL-02 passkey options over the limit are not created, and the script learns when to try again',
    async ({ open }) => {
      const asked: RateLimitParams[] = []
      const calls: Call[] = []
      const app = open({
        ...withPasskeys({ webauthn: { getUserInfo: unreachable } }),
        wrap: watching(calls),
        config: {
          experimental: { enableWebAuthn: true },
          callbacks: { rateLimit: (params) => (asked.push(params), { retryAfter: 89.2 }) },
        },
      })
      const agent = app.agent()
      const response = await agent.send('/auth/webauthn-options/passkey?email=ada@example.com')
      expect(app.ended()).toBe('denied')
      expect(response.status).toBe(429)
      expect(response.headers.get('retry-after')).toBe('90')
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(response.headers.get('cache-control')).toContain('no-store')
      expect(await response.json()).toEqual({ error: 'RateLimited' })
      expect(agent.cookies()).toEqual({})
      expect(calls).toEqual([])
      expect(app.errors.map(({ name }) => name)).toEqual(['RateLimited'])
      expect(asked.map(({ request, ...attempt }) => ({ ...attempt, url: request.url }))).toEqual([
        {
          type: 'passkey-options',
          provider: 'passkey',
          url: 'https://app.test/auth/webauthn-options/passkey?email=ada@example.com',
        },
      ])
    },
  ),

  scenario('RL-01 an unknown ceremony is refused without asking the rate limit', async ({ open }) => {
    const { asked, rateLimit } = allowing(1)
    const config = { experimental: { enableWebAuthn: true }, callbacks: { rateLimit } }
    const app = open({ ...withPasskeys(), config })
    const agent = app.agent()
    expect((await agent.send('/auth/webauthn-options/passkey?action=fly')).status).toBe(400)
    expect(asked).toEqual([])
    expect((await agent.send('/auth/webauthn-options/passkey')).status).toBe(200)
    expect(asked).toHaveLength(1)
  }),

  scenario(
    'RL-02 the error page and JSON say when to try again, and the redirect does not',
    async ({ open }) => {
      const app = openMailApp(open, { config: { callbacks: { rateLimit: () => ({ retryAfter: 0.5 }) } } })
      const agent = app.agent()
      const url = `${tooMany}&retryAfter=1`
      const redirected = await askForLink(agent, 'ada@example.com')
      expect(redirected.status).toBe(302)
      expect(redirected.headers.get('location')).toBe(url)
      expect(redirected.headers.get('retry-after')).toBeNull()
      const page = await agent.send(url)
      expect(page.status).toBe(429)
      expect(page.headers.get('retry-after')).toBe('1')
      expect(page.headers.get('content-type')).toBe('text/html')
      const form = { csrfToken: await csrfOf(agent), email: 'ada@example.com' }
      const headers = { 'x-auth-return-redirect': '1' }
      const json = await agent.send('/auth/signin/mail', { form, headers })
      expect(json.status).toBe(429)
      expect(json.headers.get('retry-after')).toBe('1')
      expect(await json.json()).toEqual({ url, ok: false })
      expect(app.mails).toEqual([])
    },
  ),

  scenario('RL-02 a result without a positive number of seconds refuses without a time', async ({ open }) => {
    const results = [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e300, '60', null].map((retryAfter) => ({
      retryAfter,
    }))
    let result: unknown
    const rateLimit = () => result as boolean
    const app = openMailApp(open, { config: { callbacks: { rateLimit } } })
    const agent = app.agent()
    const form = { csrfToken: await csrfOf(agent), email: 'ada@example.com' }
    for (result of [...results, {}, false, undefined, 'soon']) {
      const headers = { 'x-auth-return-redirect': '1' }
      const refused = await agent.send('/auth/signin/mail', { form, headers })
      expect(refused.status).toBe(429)
      expect(refused.headers.get('retry-after')).toBeNull()
      expect(await refused.json()).toEqual({ url: tooMany, ok: false })
    }
    expect(app.mails).toEqual([])
  }),

  scenario('RL-02 the error page repeats only whole seconds, and only for RateLimited', async ({ open }) => {
    const agent = open().agent()
    for (const query of [
      'error=RateLimited',
      'error=RateLimited&retryAfter=',
      'error=RateLimited&retryAfter=0',
      'error=RateLimited&retryAfter=1.5',
      'error=RateLimited&retryAfter=-1',
      'error=RateLimited&retryAfter=1%0d%0aX-Y:%20z',
      'error=RateLimited&retryAfter=1234567890',
      'error=Verification&retryAfter=60',
      'retryAfter=60',
    ])
      expect((await agent.send(`/auth/error?${query}`)).headers.get('retry-after')).toBeNull()
  }),

  scenario('OPT-003 a failing rate limit rejects every attempt', async ({ open }) => {
    const app = openMailApp(open, { config: { callbacks: { rateLimit: unreachable } } })
    const response = await askForLink(app.agent(), 'ada@example.com')
    expect(response.headers.get('location')).toBe('https://app.test/auth/error?error=Configuration')
    expect(app.ended()).toBe('faulted')
    expect(app.mails).toEqual([])
  }),
]
