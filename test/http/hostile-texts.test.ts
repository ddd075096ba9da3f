import { describe, expect, it } from 'vitest'
import { hasShortHost, isShortHost } from '../../src/text/host.ts'
import {
  canonicaliseAddress,
  canonicaliseClaim,
  isSameAddress,
  normaliseFor,
} from '../../src/text/email-address.ts'
import { createRateLimits } from '../../src/rate-limit.ts'
import { cutText } from '../../src/text/cut-text.ts'
import type { EmailSettings } from '../../src/config/settings.ts'
import { csrfOf, openApp, signIn } from '../support/app.ts'
import { mailProvider, type Mail } from '../support/mail.ts'
import { parameters } from '../support/passwords.ts'
import { withFactor } from '../support/second-factor.ts'
import { Password } from '../../src/password.ts'
import { chinese, hosts, marks } from '../performance/hostile-texts.ts'

/** Texts that make a parser, an encoder or a dependency throw, or take long. */
const texts: Readonly<Record<string, string>> = {
  'a lone surrogate': '\ud800',
  'six units with a lone surrogate': '12345\udc00',
  'an accent among digits': '12345\u00e9',
  'Arabic digits': '\u0661\u0662\u0663\u0664\u0665\u0666',
  'digits of two code units': '\u{1d7d8}\u{1d7d9}\u{1d7da}',
  'a null character': '123\u0000456',
  'control characters': '\r\nSet-Cookie: a=b\u0007',
  'direction marks': '\u202e\u2066123456',
  marks: marks(20_000),
  'characters that normalise to 18': '\ufdfa'.repeat(10_000),
  'many characters': '\u{1f600}'.repeat(10_000),
  'a name': '__proto__',
  'an unfinished escape': '%E0%A4%A',
  'an address': `a@${chinese(2000)}.example`,
  'a host': `https://${chinese(600)}.example/`,
  'a colon and a quote': '":\\",%22',
}

/** Every form of the library, with its fields. */
const forms: Readonly<Record<string, readonly string[]>> = {
  'signin/mail': ['email', 'callbackUrl', 'csrfToken'],
  'signin/idp': ['callbackUrl'],
  'callback/mail': ['code', 'token', 'email'],
  'callback/password': ['email', 'password', 'callbackUrl'],
  'callback/own': ['username', 'password'],
  'password/password': ['email', 'callbackUrl'],
  'password-reset/password': ['token', 'email', 'password'],
  'password-change/password': ['currentPassword', 'password'],
  factor: ['code', 'data', 'callbackUrl'],
  'factor-enrolment': ['code', 'setup', 'callbackUrl'],
  'email-change': ['email', 'callbackUrl'],
  'email-change-confirm': ['token', 'email'],
  account: ['change', 'id', 'name', 'confirmation'],
  'backchannel-logout': ['logout_token'],
  session: ['data'],
  signout: ['callbackUrl'],
}

function open() {
  const mails: Mail[] = []
  const { rateLimit } = createRateLimits({
    account: ({ username }) => String(username),
    limits: { credentials: false, email: false, verification: false },
  })
  const own = {
    id: 'own',
    name: 'Own',
    type: 'credentials',
    credentials: { username: {} },
    authorize: () => null,
  }
  const oidc = { id: 'idp', name: 'Idp', type: 'oidc', issuer: 'https://idp.test', clientId: 'client' }
  return openApp({
    strategy: 'database',
    providers: [
      { ...oidc, clientSecret: 'client-secret' },
      mailProvider(mails, { method: 'code' }),
      Password({ sendLink() {}, parameters }),
      own,
    ] as never,
    config: {
      ...withFactor(),
      accountPage: true,
      emailChange: { sendLink() {}, sendNotice() {} },
      callbacks: { rateLimit },
    },
  })
}

describe('a hostile text', () => {
  it.each(Object.entries(forms))(
    'SF-21 DEC-31f LM-14 in a field of %s causes no fault',
    async (path, fields) => {
      const app = open()
      const agent = app.agent()
      await signIn(app, agent, 'idp')
      for (const field of fields)
        for (const [name, text] of Object.entries(texts)) {
          const csrfToken = await csrfOf(agent)
          const response = await agent.send(`/auth/${path}`, { json: { csrfToken, [field]: text } })
          const ended = `${response.status} ${response.headers.get('location')}`
          expect(ended, `${field}: ${name}`).not.toMatch(/^5|error=Configuration/)
        }
      expect(app.errors.filter(({ name }) => name === 'AdapterError')).toEqual([])
    },
  )

  it.each(Object.entries(texts))(
    'SF-21 DEC-31f %s as the name of a user causes no fault at an enrolment',
    async (_, name) => {
      const app = openApp({
        strategy: 'database',
        config: withFactor(),
        idp: { users: [{ sub: 'ada', claims: { name } }] },
      })
      const agent = app.agent()
      await signIn(app, agent)
      const page = await agent.send('/auth/factor-enrolment')
      expect([page.status, page.headers.get('location')]).toEqual([200, null])
    },
  )

  it('LM-14 is not accepted as an address', () => {
    const long = `${marks(10_000)}@example.com`
    expect(canonicaliseAddress(long)).toBeUndefined()
    expect(canonicaliseClaim(long)).toBeUndefined()
    expect(canonicaliseClaim(`a@${chinese(10_000)}`)).toBeUndefined()
    expect(isSameAddress(long, `${long} `)).toBe(false)
    expect(canonicaliseAddress(`ada@${chinese(60)}.example`)).toBeUndefined()
    expect(canonicaliseAddress('ada@\u4e2d\u56fd.example')).toBe('ada@xn--fiqs8s.example')
  })

  it('LM-14 is not passed to the normaliser of a site, and no long result of it is used', () => {
    const passed: string[] = []
    const normalizeIdentifier = (raw: string) => {
      passed.push(raw)
      return raw.repeat(2)
    }
    const ignore = () => undefined
    const provider = { config: { normalizeIdentifier } } as unknown as EmailSettings
    expect(normaliseFor(provider, 'a'.repeat(1001), ignore)).toBeUndefined()
    expect(normaliseFor(provider, 'a'.repeat(501), ignore)).toBeUndefined()
    expect(normaliseFor(provider, 'a'.repeat(500), ignore)).toHaveLength(1000)
    expect(passed.map(({ length }) => length)).toEqual([501, 500])
  })

  it.each(Object.entries(hosts))('LM-14 has %s that no URL parser gets', (_, host) => {
    expect(hasShortHost(host(2000))).toBe(false)
  })

  it('LM-14 has a long path, or a host as long as allowed', () => {
    const label = 'a'.repeat(63)
    for (const url of [
      `/${'x'.repeat(2000)}`,
      `https://app.test/${'x'.repeat(2000)}`,
      `https://app.test?${'x'.repeat(2000)}`,
      `https://${label}.${label}.${label}.${'a'.repeat(61)}:65535/`,
      'https://[2001:db8::1]:3000/',
      `https://${'\u4e2d'.repeat(40)}.example/`,
    ])
      expect(hasShortHost(url), url).toBe(true)
    for (const url of [
      `https:${chinese(300)}/`,
      `https:\\\\${chinese(300)}/`,
      ` ht\ntps:/\t/${chinese(300)}/`,
      `\\/${chinese(300)}`,
    ])
      expect(hasShortHost(url), url).toBe(false)
    expect(isShortHost(`${'a.'.repeat(126)}a`)).toBe(true)
    expect(isShortHost(`${'a.'.repeat(130)}a`)).toBe(false)
    expect(isShortHost(`${chinese(70)}.example`)).toBe(false)
  })

  it('ACP-02 is cut to its first characters, after leading blanks', () => {
    expect(cutText(`${' '.repeat(5000)}a\u0000\u0000b${'c'.repeat(5000)}`, 5)).toBe('a bcc')
    expect(cutText('\u{1f600}'.repeat(5000), 3)).toBe('\u{1f600}'.repeat(3))
  })
})
