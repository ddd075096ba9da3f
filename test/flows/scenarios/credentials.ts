import { expect } from 'vitest'
import { AccessDenied, CredentialsSignin } from '../../../src/errors.ts'
import { skipCSRFCheck } from '../../../src/types/symbols.ts'
import type { CredentialsConfig } from '../../../src/types/provider.ts'
import { csrfOf, sessionOf, type AppOptions, type openApp } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { scenario } from '../scenario.ts'

type Authorize = CredentialsConfig['authorize']

const ada = { id: 'u1', name: 'Ada', email: 'ada@example.com' }
const knowsAda: Authorize = ({ password }) => (password === 'lovelace' ? ada : null)

function openFormApp(open: typeof openApp, authorize: Authorize = knowsAda, options: AppOptions = {}) {
  const form: CredentialsConfig = {
    id: 'form',
    name: 'Password',
    type: 'credentials',
    credentials: { username: { label: 'User' }, password: { label: 'Password', type: 'password' } },
    authorize,
  }
  return open({ providers: [form], ...options })
}

async function submit(agent: Agent, password = 'lovelace', more: Record<string, string> = {}) {
  const csrfToken = await csrfOf(agent)
  return agent.send('/auth/callback/form', { form: { csrfToken, username: 'ada', password, ...more } })
}

/** Sign-ins with credentials. */
export const credentialsScenarios = [
  scenario(
    'ATN-006 REC-005 CBK-024 EVT-008 a valid user gets a session, and callbacks and events run',
    async ({ open }) => {
      const asked: object[] = []
      const app = openFormApp(open, knowsAda, {
        config: { callbacks: { signIn: (params) => Boolean(asked.push(params)) } },
      })
      const agent = app.agent()
      const response = await submit(agent, 'lovelace', { callbackUrl: '/home' })
      expect(response.status).toBe(302)
      expect(response.headers.get('location')).toBe('https://app.test/home')
      expect(app.ended()).toBe('signedIn')
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada', email: 'ada@example.com' } })
      expect(asked).toEqual([
        {
          user: ada,
          account: { provider: 'form', providerAccountId: 'u1', type: 'credentials' },
          credentials: expect.objectContaining({
            username: 'ada',
            password: 'lovelace',
            callbackUrl: '/home',
          }) as object,
        },
      ])
      expect(app.events[0]).toMatchObject({
        event: 'signIn',
        message: { user: ada, account: { type: 'credentials' } },
      })
    },
  ),

  scenario('ATN-006 WIR-047 authorize receives the whole form, and its request', async ({ open }) => {
    const got: { credentials?: object; request?: Request } = {}
    const app = openFormApp(open, (credentials, request) => {
      Object.assign(got, { credentials, request })
      return ada
    })
    await submit(app.agent(), 'lovelace', { totp: '123456' })
    expect(got.credentials).toMatchObject({ username: 'ada', password: 'lovelace', totp: '123456' })
    expect(got.request?.url).toBe('https://app.test/auth/callback/form')
    expect(await got.request?.json()).toEqual(got.credentials)
  }),

  scenario(
    'CB-06 ERR-004 a rejection returns to the sign-in page with a code that does not depend on the reason',
    async ({ open }) => {
      const app = openFormApp(open)
      const agent = app.agent()
      const response = await submit(agent, 'wrong')
      expect(response.headers.get('location')).toBe(
        'https://app.test/auth/signin?error=CredentialsSignin&code=credentials',
      )
      expect(app.ended()).toBe('declined')
      expect(await sessionOf(agent)).toBeNull()
      expect(app.events).toEqual([])
    },
  ),

  scenario(
    'CB-06 ERR-003 ERR-004 ERR-008 a subclass of CredentialsSignin sets its code, and the log has the whole error',
    async ({ open }) => {
      class Locked extends CredentialsSignin {
        override code = 'locked'
      }
      const app = openFormApp(open, () => {
        throw new Locked('five wrong passwords')
      })
      const response = await submit(app.agent())
      expect(response.headers.get('location')).toBe(
        'https://app.test/auth/signin?error=CredentialsSignin&code=locked',
      )
      expect(app.errors.at(-1)?.message).toBe('five wrong passwords')
      expect(app.ended()).toBe('declined')
    },
  ),

  scenario('FI-07 another error of the library is shown on its own page', async ({ open }) => {
    const app = openFormApp(open, () => {
      throw new AccessDenied('banned')
    })
    expect((await submit(app.agent())).headers.get('location')).toBe(
      'https://app.test/auth/error?error=AccessDenied',
    )
    expect(app.ended()).toBe('declined')
  }),

  scenario(
    'FI-07 IL-04 an unexpected error in authorize is a server error, whose message stays on the server',
    async ({ open }) => {
      const app = openFormApp(open, () => {
        throw new Error('relation "users" does not exist')
      })
      const response = await submit(app.agent())
      expect(response.headers.get('location')).toBe('https://app.test/auth/error?error=Configuration')
      expect(app.errors.at(-1)?.message).toContain('relation "users" does not exist')
      expect(app.ended()).toBe('faulted')
    },
  ),

  scenario('AL-08 DEC-13c rejects a user whose id is neither a string nor a number', async ({ open }) => {
    const users = [{ id: '' }, { id: Number.NaN }, { id: { id: 1 } }, { id: [] }]
    for (const user of users) {
      const app = openFormApp(open, () => ({ ...ada, ...user }) as unknown as typeof ada)
      const agent = app.agent()
      expect((await submit(agent)).headers.get('location')).toBe(
        'https://app.test/auth/error?error=Configuration',
      )
      expect(await sessionOf(agent)).toBeNull()
      expect(app.errors.at(-1)?.message).toContain(
        'must return a user whose id is a non-empty string or a number',
      )
    }
    const counted = openFormApp(open, () => ({ id: 7 }) as unknown as typeof ada)
    expect((await submit(counted.agent())).headers.get('location')).toBe('https://app.test')
    expect(counted.events[0]?.message).toMatchObject({ account: { providerAccountId: '7' } })
  }),

  scenario(
    'AL-08 SEA-004 recognises a user without an id by provider and e-mail address, whatever the spelling',
    async ({ open }) => {
      const subjectOf = async (email: string, id?: null, provider = 'form') => {
        const authorize = () => ({ name: 'Ada', email, ...(id === null && { id }) }) as never
        const form = { id: provider, name: 'Form', type: 'credentials' as const, credentials: {}, authorize }
        const app = open({ providers: [form] })
        const agent = app.agent()
        const csrfToken = await csrfOf(agent)
        await agent.send(`/auth/callback/${provider}`, { form: { csrfToken } })
        expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
        expect(app.warnings).not.toContain('random-user-id')
        return (app.events[0]?.message.user as { id: string } | undefined)?.id
      }
      const subject = await subjectOf('ada@example.com')
      expect(subject).toMatch(/^[0-9a-f]{64}$/)
      expect(await subjectOf('ada@example.com')).toBe(subject)
      expect(await subjectOf(' Ada@Example.COM', null)).toBe(subject)
      expect(await subjectOf('bob@example.com')).not.toBe(subject)
      // Other mailboxes, which NFKC would turn into this one.
      expect(await subjectOf('\u{1d41a}da@example.com')).not.toBe(subject)
      expect(await subjectOf('ａda@example.com')).not.toBe(subject)
      expect(await subjectOf('ada@example.com', undefined, 'other')).not.toBe(subject)
      expect(await subjectOf('da@example.com', undefined, 'forma')).not.toBe(subject)
    },
  ),

  scenario(
    'SEA-005 warns about a user with neither an id nor an address, who counts as new at each sign-in',
    async ({ open }) => {
      const app = openFormApp(open, () => ({ name: 'Ada' }))
      await submit(app.agent())
      await submit(app.agent())
      const ids = app.events.map(({ message }) => (message.user as { id: string }).id)
      expect(ids).toHaveLength(2)
      expect(new Set(ids).size).toBe(2)
      expect(app.warnings.filter((code) => code === 'random-user-id')).toHaveLength(2)
    },
  ),

  scenario(
    'AL-08 SEA-006 rejects a user without an id if there is an adapter, and says how to fix it',
    async ({ open }) => {
      for (const strategy of ['database', 'jwt-stored'] as const) {
        const app = openFormApp(open, () => ({ name: 'Ada', email: 'ada@example.com' }), { strategy })
        const agent = app.agent()
        expect((await submit(agent)).headers.get('location')).toBe(
          'https://app.test/auth/error?error=Configuration',
        )
        expect(app.errors.at(-1)).toMatchObject({
          name: 'InvalidProvider',
          message: expect.stringContaining(
            '(await adapter.getUserByEmail(email)) ?? (await adapter.createUser(',
          ),
        })
      }
    },
  ),

  scenario(
    'TX-17 TX-18 TX-21 credentials are ignored without the CSRF token, and in a GET',
    async ({ open }) => {
      let calls = 0
      const app = openFormApp(open, () => {
        calls++
        return ada
      })
      const agent = app.agent()
      const forged = await submit(agent, 'lovelace', { csrfToken: '0'.repeat(64) })
      expect(forged.headers.get('location')).toBe('https://app.test/auth/signin?error=MissingCSRF')
      expect(app.ended()).toBe('refused')
      expect((await agent.send('/auth/callback/form?username=ada&password=lovelace')).status).toBe(405)
      expect(calls).toBe(0)
    },
  ),

  scenario('WIR-011 the form needs no token if the framework checks for CSRF', async ({ open }) => {
    const app = openFormApp(open, knowsAda, { config: { skipCSRFCheck } })
    const agent = app.agent()
    await agent.send('/auth/callback/form', { form: { username: 'ada', password: 'lovelace' } })
    expect(app.ended()).toBe('signedIn')
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
  }),

  scenario('CB-01 the signIn callback runs for credentials too', async ({ open }) => {
    const answers = [
      { signIn: () => false, location: 'https://app.test/auth/error?error=AccessDenied', ended: 'denied' },
      { signIn: () => '/apply', location: 'https://app.test/apply', ended: 'sentElsewhere' },
    ]
    for (const { signIn, location, ended } of answers) {
      const app = openFormApp(open, knowsAda, { config: { callbacks: { signIn } } })
      const agent = app.agent()
      expect((await submit(agent)).headers.get('location')).toBe(location)
      expect(app.ended()).toBe(ended)
      expect(await sessionOf(agent)).toBeNull()
    }
  }),

  scenario('DEC-21a a jwt callback that returns null rejects the sign-in', async ({ open }) => {
    const app = openFormApp(open, knowsAda, { config: { callbacks: { jwt: () => null } } })
    expect((await submit(app.agent())).headers.get('location')).toBe(
      'https://app.test/auth/error?error=AccessDenied',
    )
    expect(app.ended()).toBe('denied')
    expect(app.events).toEqual([])
  }),

  scenario(
    'DEC-18a SE-21 with database sessions, the user gets a row, and the cookie only its id',
    async ({ open }) => {
      const app = openFormApp(open, knowsAda, { strategy: 'database' })
      await app.store.createUser({ ...ada, emailVerified: null })
      const agent = app.agent()
      await submit(agent)
      expect(app.ended()).toBe('signedIn')
      expect(agent.cookies()['__Secure-authjs.session-token']).toMatch(/^[0-9a-f]{64}$/)
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
    },
  ),

  scenario('SE-02 DEC-15a replaces the session of a browser that signs in again', async ({ open }) => {
    for (const strategy of ['database', 'jwt'] as const) {
      const app = openFormApp(open, knowsAda, { strategy })
      if (strategy === 'database') await app.store.createUser({ ...ada, emailVerified: null })
      const agent = app.agent()
      for (let n = 0; n < 2; n++) {
        await submit(agent)
        expect(app.ended()).toBe('signedIn')
      }
      expect(app.rows.sessions()).toHaveLength(strategy === 'database' ? 1 : 0)
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
    }
  }),

  scenario(
    'DEC-18b with database sessions, a user that is not in the store causes a descriptive error',
    async ({ open }) => {
      const app = openFormApp(open, knowsAda, { strategy: 'database' })
      const agent = app.agent()
      expect((await submit(agent)).headers.get('location')).toBe(
        'https://app.test/auth/error?error=Configuration',
      )
      expect(app.errors.at(-1)?.message).toContain('unknown to the adapter')
      expect(app.ended()).toBe('faulted')
      expect(await sessionOf(agent)).toBeNull()
    },
  ),
]
