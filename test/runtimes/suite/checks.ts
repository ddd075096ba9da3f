import { followLink } from '../../support/follow-link.ts'
import { openApplication, origin, post, signInAt, whoIs } from './app.ts'
import { demand, demandEqual, type Check } from './demand.ts'
import type { Library } from './library.ts'

const sessionCookie = '__Secure-authjs.session-token'

/** The flows, in the way of programs that know nothing of the runtime. */
export const checks: readonly Check<Library>[] = [
  ['signs in by OpenID Connect, and out', signInAndOut],
  ['refuses an id_token that somebody else signed', refuseForeignSignature],
  ['signs in by OAuth 2.0', signInByOAuth],
  ['refuses an answer that no sign-in of this browser asked for', refuseStrayAnswer],
  ['signs in by credentials', signInByCredentials],
  ['refuses a form without the CSRF token', refuseWithoutCsrf],
  ['signs in by a mailed link, once', signInByLink],
  ['keeps sessions in a store', keepRows],
  ['splits a large session over several cookies', splitLargeSession],
  ['gives the options of a passkey', givePasskeyOptions],
  ['shows the sign-in page', showPage],
]

async function signInAndOut(library: Library): Promise<void> {
  const app = openApplication(library)
  demandEqual(await whoIs(app.agent), null, 'who is there at first')
  const done = await signInAt('oidc', app)
  demandEqual([done.status, done.headers.get('location')], [302, `${origin}/home`], 'the end of the sign-in')
  demandEqual(await whoIs(app.agent), 'Ada', `who is there after ${app.errors.join(', ')}`)
  await post(app.agent, '/auth/signout')
  demandEqual(await whoIs(app.agent), null, 'who is there afterwards')
}

async function refuseForeignSignature(library: Library): Promise<void> {
  const app = openApplication(library)
  const done = await signInAt('oidc', app, 'signature-foreign')
  demand(Boolean(done.headers.get('location')?.includes('/auth/error')), 'it led to no error page')
  demandEqual(await whoIs(app.agent), null, 'who is there')
}

async function signInByOAuth(library: Library): Promise<void> {
  const app = openApplication(library)
  await signInAt('plain', app)
  demandEqual(await whoIs(app.agent), 'Ada', `who is there after ${app.errors.join(', ')}`)
}

async function refuseStrayAnswer(library: Library): Promise<void> {
  const [app, other] = [openApplication(library), openApplication(library)]
  const started = await post(other.agent, '/auth/signin/oidc')
  const { parameters } = await other.idp.authorize(started.headers.get('location') ?? '')
  await app.agent.send(`/auth/callback/oidc?${parameters}`)
  demandEqual(await whoIs(app.agent), null, 'who is there')
}

async function signInByCredentials(library: Library): Promise<void> {
  const { agent } = openApplication(library)
  const refused = await post(agent, '/auth/callback/credentials', { name: 'Grace', pin: '1' })
  const answer = new URL(refused.headers.get('location') ?? '').searchParams
  demandEqual([answer.get('error'), answer.get('code')], ['CredentialsSignin', 'credentials'], 'the refusal')
  demandEqual(await whoIs(agent), null, 'who is there')
  await post(agent, '/auth/callback/credentials', { name: 'Grace', pin: '2718' })
  demandEqual(await whoIs(agent), 'Grace', 'who is there')
}

async function refuseWithoutCsrf(library: Library): Promise<void> {
  const { agent } = openApplication(library)
  const form = { name: 'Grace', pin: '2718' }
  const refused = await agent.send('/auth/callback/credentials', { form })
  demand(Boolean(refused.headers.get('location')?.includes('error=MissingCSRF')), 'it was not refused')
  demandEqual(await whoIs(agent), null, 'who is there')
}

async function signInByLink(library: Library): Promise<void> {
  const { agent, links, errors } = openApplication(library)
  await post(agent, '/auth/signin/mail', { email: 'Ada@Example.com' })
  const link = links[0]?.slice(origin.length)
  if (link === undefined) throw new Error(`no link was mailed: ${errors.join(', ')}`)
  await agent.send(link)
  const session = (await (await agent.send('/auth/session')).json()) as { user: { email: string } }
  demandEqual(session.user.email, 'ada@example.com', 'the address')
  const again = await followLink(agent, link)
  demand(Boolean(again.headers.get('location')?.includes('error=Verification')), 'the link worked twice')
}

async function keepRows(library: Library): Promise<void> {
  const app = openApplication(library, { session: { strategy: 'database' } })
  await signInAt('oidc', app)
  demandEqual(await whoIs(app.agent), 'Ada', `who is there after ${app.errors.join(', ')}`)
  const held = app.agent.cookies()[sessionCookie] ?? ''
  demand(/^[0-9a-f]{64}$/.test(held), 'the cookie holds no session token of 64 digits')
  await post(app.agent, '/auth/signout')
  app.agent.set(`${sessionCookie}=${held}; Path=/; Secure`)
  demandEqual(await whoIs(app.agent), null, 'who is there with the cookie of a session that has ended')
}

async function splitLargeSession(library: Library): Promise<void> {
  const large = 'x'.repeat(6000)
  const { agent } = openApplication(library, { callbacks: { jwt: ({ token }) => ({ ...token, large }) } })
  await post(agent, '/auth/callback/credentials', { name: 'Grace', pin: '2718' })
  const names = Object.keys(agent.cookies()).filter((name) => name.startsWith(sessionCookie))
  demandEqual(
    names.toSorted(),
    [0, 1, 2].map((part) => `${sessionCookie}.${part}`),
    'the cookies',
  )
  demandEqual(await whoIs(agent), 'Grace', 'who is there')
}

async function givePasskeyOptions(library: Library): Promise<void> {
  const { agent, errors } = openApplication(library)
  const answer = await agent.send('/auth/webauthn-options/passkey?action=authenticate')
  demandEqual(answer.status, 200, `the status after ${errors.join(', ')}`)
  const { action, options } = (await answer.json()) as {
    action: string
    options: { rpId: string; challenge: string; userVerification: string }
  }
  demandEqual(
    [action, options.rpId, options.userVerification],
    ['authenticate', 'app.test', 'required'],
    'the options',
  )
  demand(options.challenge.length >= 22, 'the challenge has less than 128 bits')
}

async function showPage(library: Library): Promise<void> {
  const page = await openApplication(library).agent.send('/auth/signin')
  demandEqual([page.status, page.headers.get('content-type')], [200, 'text/html'], 'the page')
  demand((await page.text()).includes('name="csrfToken"'), 'it has no form')
}
