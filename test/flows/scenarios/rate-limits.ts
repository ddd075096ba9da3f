import { expect } from 'vitest'
import type { RateLimitParams } from '../../../src/types/config.ts'
import { csrfOf, sessionOf } from '../../support/app.ts'
import { followLink } from '../../support/follow-link.ts'
import { askForLink, openMailApp, pathOf, type Mail } from '../../support/mail.ts'
import { unreachable, watching, type Call } from '../../support/watch-store.ts'
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

  scenario('OPT-003 a failing rate limit rejects every attempt', async ({ open }) => {
    const app = openMailApp(open, { config: { callbacks: { rateLimit: unreachable } } })
    const response = await askForLink(app.agent(), 'ada@example.com')
    expect(response.headers.get('location')).toBe('https://app.test/auth/error?error=Configuration')
    expect(app.ended()).toBe('faulted')
    expect(app.mails).toEqual([])
  }),
]
