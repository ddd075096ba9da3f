import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { secret, sessionOf } from '../../support/app.ts'
import { followLink } from '../../support/follow-link.ts'
import { askForLink, openMailApp } from '../../support/mail.ts'
import { scenario } from '../scenario.ts'

/** The first half of an e-mail sign-in. */
export const emailRequestScenarios = [
  scenario(
    'ATN-007 REC-004 CB-02 CBK-031 CBK-025 WIR-046 a link is mailed to the address, and the browser shows a confirmation',
    async ({ open }) => {
      const asked: unknown[] = []
      const app = openMailApp(open, {
        config: { callbacks: { signIn: (params) => Boolean(asked.push(params)) } },
      })
      const agent = app.agent()
      const response = await askForLink(agent, 'Ada@Example.com', { callbackUrl: '/welcome' })
      expect(response.status).toBe(302)
      expect(response.headers.get('location')).toBe(
        'https://app.test/auth/verify-request?provider=mail&type=email',
      )
      expect(app.ended()).toBe('linkMailed')
      expect(asked).toEqual([
        {
          user: expect.objectContaining({ email: 'ada@example.com', emailVerified: null }) as object,
          account: expect.objectContaining({
            provider: 'mail',
            type: 'email',
            providerAccountId: 'ada@example.com',
          }) as object,
          email: { verificationRequest: true },
        },
      ])
      const link = new URL(app.mails[0]?.url ?? '')
      expect(link.origin + link.pathname).toBe('https://app.test/auth/callback/mail')
      expect([...link.searchParams.keys()]).toEqual(['callbackUrl', 'token', 'email'])
      expect(link.searchParams.get('callbackUrl')).toBe('https://app.test/welcome')
      expect(link.searchParams.get('email')).toBe('ada@example.com')
      expect(await sessionOf(agent)).toBeNull()
    },
  ),

  scenario(
    'SU-04 SU-05 ATN-008 WIR-045 the store contains only the hash of the token, and the token is 32 random bytes',
    async ({ open }) => {
      const stored: { identifier: string; token: string; expires: Date }[] = []
      const app = openMailApp(open, {
        wrap: (adapter) => ({
          ...adapter,
          createVerificationToken: (token) => {
            stored.push(token)
            return adapter.createVerificationToken?.(token)
          },
        }),
      })
      await askForLink(app.agent(), 'ada@example.com')
      await askForLink(app.agent(), 'bob@example.com')
      const [mail, other] = app.mails
      expect(mail?.token).toMatch(/^[0-9a-f]{64}$/)
      expect(other?.token).not.toBe(mail?.token)
      const hash = createHash('sha256').update(`${mail?.token}${secret}`).digest('hex')
      expect(stored[0]).toEqual({
        identifier: 'ada@example.com',
        token: hash,
        expires: new Date(app.clock.now() + 86_400_000),
      })
      expect(JSON.stringify(stored)).not.toContain(mail?.token)
    },
  ),

  scenario(
    'TX-17 TX-18 a request for a link without the CSRF token is rejected, and nothing is mailed',
    async ({ open }) => {
      const app = openMailApp(open)
      const response = await askForLink(app.agent(), 'ada@example.com', { csrfToken: 'f'.repeat(64) })
      expect(response.headers.get('location')).toBe('https://app.test/auth/signin?error=MissingCSRF')
      expect(app.mails).toHaveLength(0)
      expect(app.ended()).toBe('refused')
    },
  ),

  scenario(
    'EM-02 EM-03 EM-06 DEC-29a anything but exactly one plain mailbox is rejected, and nothing is stored or mailed',
    async ({ open }) => {
      const app = openMailApp(open)
      for (const email of [
        '',
        'ada',
        'a@b@c.test',
        '"e@evil.test"@app.test',
        'a@x.test,b@y.test',
        'a b@x.test',
        'a@x.test\r\nBcc: b@y.test',
      ]) {
        const response = await askForLink(app.agent(), email)
        expect(response.headers.get('location'), email).toBe(
          'https://app.test/auth/signin?error=EmailSignInError',
        )
        expect(app.ended(), email).toBe('refused')
      }
      expect(app.mails).toHaveLength(0)
    },
  ),

  scenario(
    'EM-04 EM-05 the validated address is the one that is mailed, stored and looked up',
    async ({ open }) => {
      const looked: string[] = []
      const app = openMailApp(open, {
        wrap: (adapter) => ({
          ...adapter,
          getUserByEmail: (email) => {
            looked.push(email)
            return adapter.getUserByEmail?.(email) ?? null
          },
        }),
      })
      await askForLink(app.agent(), ' ＡＤＡ@Bücher.example ')
      expect(looked).toEqual(['ada@xn--bcher-kva.example'])
      expect(app.mails[0]?.identifier).toBe('ada@xn--bcher-kva.example')
    },
  ),

  scenario(
    'EM-09 callback, mail and store receive the result of a custom normalizeIdentifier',
    async ({ open }) => {
      const seen: (string | null | undefined)[] = []
      const app = openMailApp(open, {
        mail: { normalizeIdentifier: (raw) => `${raw.split('@')[0]}@fixed.test` },
        config: { callbacks: { signIn: ({ user }) => Boolean(seen.push(user.email)) } },
      })
      await askForLink(app.agent(), 'Ada@elsewhere.test')
      expect(app.mails[0]?.identifier).toBe('Ada@fixed.test')
      expect(seen).toEqual(['Ada@fixed.test'])
    },
  ),

  scenario(
    'SU-12 CB-01 nothing is sent or stored if the signIn callback rejects, throws or redirects',
    async ({ open }) => {
      const answers = [
        { signIn: () => false, location: 'https://app.test/auth/error?error=AccessDenied', ended: 'denied' },
        {
          signIn: () => {
            throw new Error('no such member')
          },
          location: 'https://app.test/auth/error?error=AccessDenied',
          ended: 'denied',
        },
        { signIn: () => '/apply', location: 'https://app.test/apply', ended: 'sentElsewhere' },
      ]
      for (const { signIn, location, ended } of answers) {
        const stored: unknown[] = []
        const app = openMailApp(open, {
          config: { callbacks: { signIn } },
          wrap: (adapter) => ({ ...adapter, createVerificationToken: (token) => void stored.push(token) }),
        })
        const response = await askForLink(app.agent(), 'ada@example.com')
        expect(response.headers.get('location')).toBe(location)
        expect(app.ended()).toBe(ended)
        expect([...app.mails, ...stored]).toEqual([])
      }
    },
  ),

  scenario('SU-11 DEC-28a FI-01 a token that cannot be stored is not mailed', async ({ open }) => {
    const app = openMailApp(open, {
      wrap: (adapter) => ({
        ...adapter,
        createVerificationToken: () => {
          throw new Error('disk full')
        },
      }),
    })
    const response = await askForLink(app.agent(), 'ada@example.com')
    expect(response.headers.get('location')).toBe('https://app.test/auth/error?error=Configuration')
    expect(app.ended()).toBe('faulted')
    expect(app.mails).toHaveLength(0)
  }),

  scenario(
    'SU-11 a message that cannot be sent leaves no valid token, and shows an error',
    async ({ open }) => {
      const sent: string[] = []
      const app = openMailApp(open, {
        mail: {
          sendVerificationRequest: ({ url }) => {
            sent.push(url)
            throw new Error('connection refused')
          },
        },
      })
      const agent = app.agent()
      const response = await askForLink(agent, 'ada@example.com')
      expect(response.headers.get('location')).toBe('https://app.test/auth/signin?error=EmailSignInError')
      expect(app.ended()).toBe('failed')
      const { pathname, search } = new URL(sent[0] ?? '')
      const followed = await followLink(agent, pathname + search)
      expect(followed.headers.get('location')).toBe('https://app.test/auth/error?error=Verification')
    },
  ),

  scenario('IL-01 known and unknown addresses get the same response', async ({ open }) => {
    const app = openMailApp(open)
    const known = { id: 'u1', email: 'ada@example.com', emailVerified: null }
    await app.store.createUser(known)
    const describe = (response: Response) => ({
      status: response.status,
      location: response.headers.get('location'),
      names: response.headers.getSetCookie().map((cookie) => cookie.replace(/=.*/, '')),
    })
    const first = describe(await askForLink(app.agent(), 'ada@example.com'))
    expect(describe(await askForLink(app.agent(), 'eve@example.com'))).toEqual(first)
    expect(app.mails).toHaveLength(2)
  }),

  scenario(
    'DEC-03e the sender receives the documented parameters, with an address at the site’s host as the default `from`',
    async ({ open }) => {
      const app = openMailApp(open, { config: { theme: { brandColor: '#123456' } } })
      await askForLink(app.agent(), 'ada@example.com')
      const [mail] = app.mails
      expect(mail).toMatchObject({
        identifier: 'ada@example.com',
        expires: new Date(app.clock.now() + 86_400_000),
        theme: { brandColor: '#123456' },
        provider: { id: 'mail', from: 'no-reply@app.test' },
      })
      expect(mail?.request.method).toBe('POST')
      expect(await mail?.request.json()).toMatchObject({ email: 'ada@example.com' })
    },
  ),
]
