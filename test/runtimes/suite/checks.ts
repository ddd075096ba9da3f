import { followLink } from '../../support/follow-link.ts'
import { openApplication, origin, post, signInAt, userNameOf } from './app.ts'
import { assert, assertEqual, type Check } from './assert.ts'
import type { Library } from './library.ts'

const sessionCookie = '__Secure-authjs.session-token'

/** The flows, in code that does not depend on the runtime. */
export const checks: readonly Check<Library>[] = [
  ['signs in and out with OpenID Connect', signInAndOut],
  ['rejects an id_token with a foreign signature', refuseForeignSignature],
  ['signs in with OAuth 2.0', signInByOAuth],
  ['rejects a response that this browser did not request', refuseStrayAnswer],
  ['signs in with credentials', signInByCredentials],
  ['rejects a form without the CSRF token', refuseWithoutCsrf],
  ['signs in once with a mailed link', signInByLink],
  ['stores sessions in a database', keepRows],
  ['splits a large session over several cookies', splitLargeSession],
  ['returns passkey options', givePasskeyOptions],
  ['renders the sign-in page', showPage],
]

async function signInAndOut(library: Library): Promise<void> {
  const app = openApplication(library)
  assertEqual(await userNameOf(app.agent), null, 'the user before the sign-in')
  const done = await signInAt('oidc', app)
  assertEqual(
    [done.status, done.headers.get('location')],
    [302, `${origin}/home`],
    'the final state of the sign-in',
  )
  assertEqual(await userNameOf(app.agent), 'Ada', `the user after ${app.errors.join(', ')}`)
  await post(app.agent, '/auth/signout')
  assertEqual(await userNameOf(app.agent), null, 'the user after the sign-out')
}

async function refuseForeignSignature(library: Library): Promise<void> {
  const app = openApplication(library)
  const done = await signInAt('oidc', app, 'signature-foreign')
  assert(
    Boolean(done.headers.get('location')?.includes('/auth/error')),
    'the redirect does not lead to an error page',
  )
  assertEqual(await userNameOf(app.agent), null, 'the user')
}

async function signInByOAuth(library: Library): Promise<void> {
  const app = openApplication(library)
  await signInAt('plain', app)
  assertEqual(await userNameOf(app.agent), 'Ada', `the user after ${app.errors.join(', ')}`)
}

async function refuseStrayAnswer(library: Library): Promise<void> {
  const [app, other] = [openApplication(library), openApplication(library)]
  const started = await post(other.agent, '/auth/signin/oidc')
  const { parameters } = await other.idp.authorize(started.headers.get('location') ?? '')
  await app.agent.send(`/auth/callback/oidc?${parameters}`)
  assertEqual(await userNameOf(app.agent), null, 'the user')
}

async function signInByCredentials(library: Library): Promise<void> {
  const { agent } = openApplication(library)
  const refused = await post(agent, '/auth/callback/credentials', { name: 'Grace', pin: '1' })
  const answer = new URL(refused.headers.get('location') ?? '').searchParams
  assertEqual(
    [answer.get('error'), answer.get('code')],
    ['CredentialsSignin', 'credentials'],
    'the rejection',
  )
  assertEqual(await userNameOf(agent), null, 'the user')
  await post(agent, '/auth/callback/credentials', { name: 'Grace', pin: '2718' })
  assertEqual(await userNameOf(agent), 'Grace', 'the user')
}

async function refuseWithoutCsrf(library: Library): Promise<void> {
  const { agent } = openApplication(library)
  const form = { name: 'Grace', pin: '2718' }
  const refused = await agent.send('/auth/callback/credentials', { form })
  assert(Boolean(refused.headers.get('location')?.includes('error=MissingCSRF')), 'it was not rejected')
  assertEqual(await userNameOf(agent), null, 'the user')
}

async function signInByLink(library: Library): Promise<void> {
  const { agent, links, errors } = openApplication(library)
  await post(agent, '/auth/signin/mail', { email: 'Ada@Example.com' })
  const link = links[0]?.slice(origin.length)
  if (link === undefined) throw new Error(`no link was mailed: ${errors.join(', ')}`)
  await agent.send(link)
  const session = (await (await agent.send('/auth/session')).json()) as { user: { email: string } }
  assertEqual(session.user.email, 'ada@example.com', 'the address')
  const again = await followLink(agent, link)
  assert(Boolean(again.headers.get('location')?.includes('error=Verification')), 'the link worked twice')
}

async function keepRows(library: Library): Promise<void> {
  const app = openApplication(library, { session: { strategy: 'database' } })
  await signInAt('oidc', app)
  assertEqual(await userNameOf(app.agent), 'Ada', `the user after ${app.errors.join(', ')}`)
  const held = app.agent.cookies()[sessionCookie] ?? ''
  assert(/^[0-9a-f]{64}$/.test(held), 'the cookie is not a session token of 64 digits')
  await post(app.agent, '/auth/signout')
  app.agent.set(`${sessionCookie}=${held}; Path=/; Secure`)
  assertEqual(await userNameOf(app.agent), null, 'the user with the cookie of an ended session')
}

async function splitLargeSession(library: Library): Promise<void> {
  const large = 'x'.repeat(6000)
  const { agent } = openApplication(library, { callbacks: { jwt: ({ token }) => ({ ...token, large }) } })
  await post(agent, '/auth/callback/credentials', { name: 'Grace', pin: '2718' })
  const names = Object.keys(agent.cookies()).filter((name) => name.startsWith(sessionCookie))
  assertEqual(
    names.toSorted(),
    [0, 1, 2].map((part) => `${sessionCookie}.${part}`),
    'the cookies',
  )
  assertEqual(await userNameOf(agent), 'Grace', 'the user')
}

async function givePasskeyOptions(library: Library): Promise<void> {
  const { agent, errors } = openApplication(library)
  const answer = await agent.send('/auth/webauthn-options/passkey?action=authenticate')
  assertEqual(answer.status, 200, `the status after ${errors.join(', ')}`)
  const { action, options } = (await answer.json()) as {
    action: string
    options: { rpId: string; challenge: string; userVerification: string }
  }
  assertEqual(
    [action, options.rpId, options.userVerification],
    ['authenticate', 'app.test', 'required'],
    'the options',
  )
  assert(options.challenge.length >= 22, 'the challenge has less than 128 bits')
}

async function showPage(library: Library): Promise<void> {
  const page = await openApplication(library).agent.send('/auth/signin')
  assertEqual([page.status, page.headers.get('content-type')], [200, 'text/html'], 'the page')
  assert((await page.text()).includes('name="csrfToken"'), 'it has no form')
}
