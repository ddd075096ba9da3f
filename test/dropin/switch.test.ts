import { afterEach, describe, expect, it, vi } from 'vitest'
import { followLink } from '../support/follow-link.ts'
import { openAuthenticator, type Options as Ceremony } from '../../fuzz/world/webauthn/authenticator.ts'
import {
  answerCeremony,
  askCeremony,
  csrfTokenOf,
  mailProvider,
  openDeployment,
  type Options,
  origin,
  performCeremony,
  post,
  sessionOf,
  signAtLength,
  signIn,
  visitProvider,
  ways,
} from './deployment.ts'

const sessionCookie = '__Secure-authjs.session-token'
const ada = { name: 'Ada', email: 'ada@example.com' }

afterEach(() => void vi.unstubAllGlobals())

const settings = ways.flatMap((way) =>
  (['session', 'explicit'] as const).map((accountLinking) => ({ ...way, accountLinking })),
)

/** The user in the session. A passkey proves no address here: the typed one becomes the user's name. */
async function namesOf(browser: Parameters<typeof sessionOf>[0]): Promise<unknown[]> {
  const session = await sessionOf(browser)
  return [session?.user?.name, session?.user?.email]
}

describe.each(settings)(
  'a deployment that switches from $from to $to, with linking $accountLinking',
  (way) => {
    const { before, after, to, accountLinking } = way
    const open = (options: Options = {}) =>
      openDeployment({ ...options, config: { accountLinking, ...options.config } })

    it('DEC-38 ECO-003 links an identity to the user who was signed in before, unless linking is explicit', async () => {
      const deployment = open({ strategy: 'database' })
      const browser = deployment.browser()
      await deployment.use(before)
      await post(browser, '/auth/signin/mail', { email: 'bob@example.com' })
      await followLink(browser, (deployment.links[0] ?? '').slice(origin.length))
      await deployment.use(after)
      await signIn(deployment, browser)
      // The other library does not have this setting.
      const isExplicit = to === 'this library' && accountLinking === 'explicit'
      const email = isExplicit ? ada.email : 'bob@example.com'
      expect(await sessionOf(browser)).toMatchObject({ user: { email } })
      const [account] = deployment.rows.accounts
      expect(account?.userId).toBe(deployment.rows.users.find((user) => user.email === email)?.id)
    })

    it('ECO-003 keeps JWT sessions, and signs out of them', async () => {
      const deployment = open()
      const browser = deployment.browser()
      await deployment.use(before)
      await signIn(deployment, browser)
      const { expires: _, ...session } = (await sessionOf(browser)) ?? {}
      await deployment.use(after)
      expect(await sessionOf(browser)).toMatchObject({ ...session, user: ada })
      await post(browser, '/auth/signout')
      expect(browser.cookies()[sessionCookie]).toBeUndefined()
      expect(await sessionOf(browser)).toBeNull()
    })

    it('ECO-003 keeps JWT sessions in several cookies, with their claims', async () => {
      const large = 'x'.repeat(6000)
      const callbacks = {
        jwt: ({ token, user }: { token: object; user?: object }) => (user ? { ...token, large } : token),
        session: ({ session, token }: { session: object; token: { large: string } }) => ({
          ...session,
          letters: token.large.length,
        }),
      }
      const deployment = open({ config: { callbacks } })
      const browser = deployment.browser()
      await deployment.use(before)
      await post(browser, '/auth/callback/credentials', { pin: '2718' })
      const names = [0, 1, 2].map((part) => `${sessionCookie}.${part}`)
      expect(Object.keys(browser.cookies())).toEqual(expect.arrayContaining(names))
      await deployment.use(after)
      // Each read writes them again.
      for (let time = 0; time < 2; time++)
        expect(await sessionOf(browser)).toMatchObject({ user: { name: 'Grace' }, letters: large.length })
      await deployment.use(before)
      expect(await sessionOf(browser)).toMatchObject({ letters: large.length })
      await deployment.use(after)
      await post(browser, '/auth/signout')
      expect(Object.keys(browser.cookies()).filter((name) => name.startsWith(sessionCookie))).toEqual([])
    })

    it('ECO-003 keeps database sessions, and deletes the row at sign-out', async () => {
      const deployment = open({ strategy: 'database' })
      const browser = deployment.browser()
      await deployment.use(before)
      await signIn(deployment, browser)
      expect(deployment.rows.sessions).toHaveLength(1)
      await deployment.use(after)
      expect(await sessionOf(browser)).toMatchObject({ user: ada })
      expect(deployment.rows.sessions).toHaveLength(1)
      await post(browser, '/auth/signout')
      expect(deployment.rows.sessions).toEqual([])
      expect(await sessionOf(browser)).toBeNull()
    })

    it('ECO-003 recognises existing users and their accounts', async () => {
      const deployment = open({ strategy: 'database' })
      await deployment.use(before)
      await signIn(deployment, deployment.browser())
      const { users, accounts } = structuredClone(deployment.rows)
      expect([users.length, accounts.length]).toEqual([1, 1])
      await deployment.use(after)
      const browser = deployment.browser()
      await signIn(deployment, browser)
      expect(await sessionOf(browser)).toMatchObject({ user: ada })
      expect(deployment.rows.users.map(({ id }) => id)).toEqual(users.map(({ id }) => id))
      expect(
        deployment.rows.accounts.map(({ userId, providerAccountId }) => [userId, providerAccountId]),
      ).toEqual(accounts.map(({ userId, providerAccountId }) => [userId, providerAccountId]))
    })

    it('ECO-003 accepts links mailed before the switch, once', async () => {
      const deployment = open({ strategy: 'database' })
      const browser = deployment.browser()
      await deployment.use(before)
      await post(browser, '/auth/signin/mail', { email: 'ada@example.com', callbackUrl: `${origin}/home` })
      const link = (deployment.links[0] ?? '').slice(origin.length)
      await deployment.use(after)
      expect((await followLink(browser, link)).headers.get('location')).toBe(`${origin}/home`)
      expect(await sessionOf(browser)).toMatchObject({ user: { email: 'ada@example.com' } })
      const again = await followLink(deployment.browser(), link)
      expect(again.headers.get('location')).toContain('error=Verification')
    })

    it('ECO-003 accepts the CSRF token of a page that was open, and keeps the callback URL', async () => {
      const deployment = open()
      const browser = deployment.browser()
      await deployment.use(before)
      await browser.send(`/auth/signin?callbackUrl=${encodeURIComponent(`${origin}/home`)}`)
      const csrfToken = await csrfTokenOf(browser)
      await deployment.use(after)
      const answer = await browser.send('/auth/callback/credentials', { form: { csrfToken, pin: '2718' } })
      expect(answer.headers.get('location')).toBe(`${origin}/home`)
      expect(await sessionOf(browser)).toMatchObject({ user: { name: 'Grace' } })
    })

    it.each([['pkce'], ['state'], ['pkce', 'state'], ['pkce', 'nonce'], ['pkce', 'state', 'nonce']])(
      'ECO-003 completes sign-ins in progress, with the checks %s %s %s',
      async (...checks) => {
        const deployment = open({ provider: { checks } })
        const browser = deployment.browser()
        await deployment.use(before)
        const callback = await visitProvider(deployment, browser)
        await deployment.use(after)
        expect((await browser.send(callback)).headers.get('location')).toBe(`${origin}/home`)
        expect(await sessionOf(browser)).toMatchObject({ user: ada })
        expect(deployment.errors).toEqual([])
      },
    )

    it('ECO-003 rejects a sign-in in progress with the default checks, and accepts a new one', async () => {
      const deployment = open()
      const browser = deployment.browser()
      await deployment.use(before)
      const callback = await visitProvider(deployment, browser)
      await deployment.use(after)
      expect((await browser.send(callback)).headers.get('location') ?? '').not.toBe(`${origin}/home`)
      expect(await sessionOf(browser)).toBeNull()
      await signIn(deployment, browser)
      expect(await sessionOf(browser)).toMatchObject({ user: ada })
    })

    it('ECO-003 DEC-05a with several secrets: keeps sessions, and requires new CSRF tokens and links', async () => {
      const secret = ['the newer secret of the deployment, long', 'the older secret of the deployment, long']
      const deployment = open({ config: { secret } })
      const browser = deployment.browser()
      await deployment.use(before)
      await signIn(deployment, browser)
      await post(browser, '/auth/signin/mail', { email: 'bob@example.com' })
      const link = (deployment.links[0] ?? '').slice(origin.length)
      const csrfToken = await csrfTokenOf(browser)
      await deployment.use(after)
      expect(await sessionOf(browser)).toMatchObject({ user: ada })
      const refused = await browser.send('/auth/signout', { form: { csrfToken } })
      expect(refused.headers.get('location')).toContain('error=MissingCSRF')
      expect((await followLink(deployment.browser(), link)).headers.get('location')).toContain(
        'error=Verification',
      )
      await post(browser, '/auth/signout')
      expect(await sessionOf(browser)).toBeNull()
    })

    it('ECO-003 DEC-05a with several e-mail providers: requires new links', async () => {
      const links: string[] = []
      const deployment = open({ strategy: 'database', providers: [mailProvider('other', links)] })
      const browser = deployment.browser()
      await deployment.use(before)
      await post(browser, '/auth/signin/other', { email: 'ada@example.com' })
      await deployment.use(after)
      const follow = async () =>
        (await followLink(browser, (links.at(-1) ?? '').slice(origin.length))).headers.get('location')
      expect(await follow()).toContain('error=Verification')
      await post(browser, '/auth/signin/other', { email: 'ada@example.com', callbackUrl: `${origin}/home` })
      expect(await follow()).toBe(`${origin}/home`)
    })

    it('ECO-003 accepts the passkeys of existing users, and continues their counters', async () => {
      const deployment = open({ strategy: 'database', passkeys: true })
      const authenticator = openAuthenticator(origin)
      const browser = deployment.browser()
      await deployment.use(before)
      const registered = await performCeremony(browser, 'register', (asked) =>
        authenticator.create(asked, { id: 'Y3JlZGVudGlhbCBvZiBhZGEgYXQgYXBwLnRlc3Q' }),
      )
      expect(registered.headers.get('location'), deployment.errors.join()).toBe(origin)
      await deployment.use(after)
      for (const library of [after, before, after]) {
        await deployment.use(library)
        const another = deployment.browser()
        await performCeremony(another, 'authenticate', (asked) => signAtLength(authenticator, asked))
        expect(deployment.errors).toEqual([])
        expect(await namesOf(another)).toContain('ada@example.com')
      }
      expect(deployment.rows.credentials.map(({ counter }) => counter)).toEqual([
        authenticator.held[0]?.counter,
      ])
    })

    it('ECO-003 rejects a passkey ceremony in progress, and accepts a new one', async () => {
      const deployment = open({ strategy: 'database', passkeys: true })
      const authenticator = openAuthenticator(origin)
      const browser = deployment.browser()
      const register = (asked: Ceremony) =>
        authenticator.create(asked, { id: 'Y3JlZGVudGlhbCBvZiBhZGEgYXQgYXBwLnRlc3Q' })
      await deployment.use(before)
      const asked = await askCeremony(browser, 'register')
      await deployment.use(after)
      await answerCeremony(browser, 'register', register(asked))
      expect(await sessionOf(browser)).toBeNull()
      await performCeremony(browser, 'register', register)
      expect(await namesOf(browser)).toContain('ada@example.com')
    })

    it('ECO-003 decodes tokens that the application encoded before the switch', async () => {
      const params = { salt: sessionCookie, secret: 'a secret for the deployment that is long enough' }
      const token = await before.tokens?.encode({
        ...params,
        token: { sub: 'ada', deep: { list: [1, 'ß'] } },
      })
      expect(await after.tokens?.decode({ ...params, token })).toMatchObject({
        sub: 'ada',
        deep: { list: [1, 'ß'] },
      })
      const req = new Request(origin, { headers: { cookie: `${sessionCookie}=${token}` } })
      expect(await after.tokens?.getToken({ req, secureCookie: true, secret: params.secret })).toMatchObject({
        sub: 'ada',
      })
    })
  },
)
