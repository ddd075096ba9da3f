import { expect } from 'vitest'
import { csrfOf, signIn, type AppOptions } from '../../support/app.ts'
import type { Agent, Sent } from '../../support/browser-agent.ts'
import { mailProvider } from '../../support/mail.ts'
import { idp, pinProvider } from '../../support/providers.ts'
import { callbackUrlCookie, locationOf } from '../expectations.ts'
import { scenario } from '../scenario.ts'

const target = 'https://app.test/orders/7?tab=2'
const pages = { signIn: '/login?from=library' }
const providers = [idp, pinProvider(), mailProvider([], { sendVerificationRequest: fail })]

function fail(): never {
  throw new Error('the mail server is down')
}

/** Posts a form as an own page does, with the token of the browser. */
async function post(agent: Agent, path: string, form: Record<string, string>): Promise<Response> {
  return agent.send(path, { form: { csrfToken: await csrfOf(agent), ...form } })
}

/** The target and the error in the URL of an own sign-in page. */
function readPage(response: Response) {
  const { origin, pathname, searchParams } = locationOf(response)
  expect([origin + pathname, searchParams.get('from')]).toEqual(['https://app.test/login', 'library'])
  return [searchParams.get('error'), searchParams.get('callbackUrl')]
}

/** Sign-in pages of the application. */
export const ownSignInPageScenarios = [
  scenario('RD-11 an own sign-in page gets the target of a failed sign-in', async ({ open }) => {
    const openOwn = (options: AppOptions = {}) =>
      open({ strategy: 'database', providers, ...options, config: { pages, ...options.config } })

    const cancelling = openOwn({ idp: { misbehave: ['access-denied'] } })
    const cancelled = await signIn(cancelling, cancelling.agent(), 'idp', { callbackUrl: target })
    expect(readPage(cancelled)).toEqual(['OAuthCallbackError', target])

    const agent = openOwn().agent()
    expect(
      readPage(await post(agent, '/auth/signin/mail', { email: 'a@b.test', callbackUrl: target })),
    ).toEqual(['EmailSignInError', target])
    expect(readPage(await agent.send('/auth/signin/idp', { form: { callbackUrl: '/orders/8' } }))).toEqual([
      'MissingCSRF',
      'https://app.test/orders/8',
    ])

    const refusing = openOwn({ strategy: 'jwt', providers: [pinProvider()] }).agent()
    const refused = await post(refusing, '/auth/callback/credentials', { pin: 'wrong', callbackUrl: target })
    expect(readPage(refused)).toEqual(['CredentialsSignin', target])
    const again = { pin: 'wrong', callbackUrl: '/login?error=CredentialsSignin' }
    expect(readPage(await post(refusing, '/auth/callback/credentials', again))).toEqual([
      'CredentialsSignin',
      null,
    ])
  }),

  scenario('RD-11 an own sign-in page gets the target if the address is taken', async ({ open }) => {
    const app = open({ strategy: 'database', config: { pages } })
    await app.store.createUser({ id: 'ada', name: 'Ada', email: 'ada@example.com', emailVerified: null })
    const response = await signIn(app, app.agent(), 'idp', { callbackUrl: target })
    expect(readPage(response)).toEqual(['OAuthAccountNotLinked', target])
  }),

  scenario('RD-11 RD-08 an own sign-in page gets no target that is not allowed', async ({ open }) => {
    const evil = 'https://evil.test/'
    const send = (sent: Sent) => open({ config: { pages } }).agent().send('/auth/signin/idp', sent)
    expect(readPage(await send({ form: { callbackUrl: evil } }))).toEqual(['MissingCSRF', null])
    const planted = open({ config: { pages }, idp: { misbehave: ['access-denied'] } })
    const agent = planted.agent()
    agent.set(`${callbackUrlCookie}=${encodeURIComponent(evil)}; Path=/; Secure`)
    expect(readPage(await signIn(planted, agent))).toEqual(['OAuthCallbackError', null])

    const redirect = ({ url, baseUrl }: { url: string; baseUrl: string }) =>
      url.startsWith('https://shop.test/') ? url : baseUrl
    const allowing = open({
      config: { pages, callbacks: { redirect } },
      idp: { misbehave: ['access-denied'] },
    })
    const cancelled = await signIn(allowing, allowing.agent(), 'idp', {
      callbackUrl: 'https://shop.test/cart',
    })
    expect(readPage(cancelled)).toEqual(['OAuthCallbackError', 'https://shop.test/cart'])
  }),

  scenario('RD-12 a sign-in that returns to an own sign-in page leads on to its target', async ({ open }) => {
    const land = async (callbackUrl: string, signInPage = '/login') => {
      const app = open({ providers: [pinProvider()], config: { pages: { signIn: signInPage } } })
      const form = { name: 'ada', pin: '1234', callbackUrl }
      return (await post(app.agent(), '/auth/callback/credentials', form)).headers.get('location')
    }
    expect(await land(`/login?error=CredentialsSignin&callbackUrl=${encodeURIComponent(target)}`)).toBe(
      target,
    )
    expect(await land('/login?callbackUrl=https://evil.test/')).toBe('https://app.test')
    expect(await land(`/elsewhere?callbackUrl=${encodeURIComponent(target)}`)).toContain('/elsewhere?')
    // A home page may show the sign-in to visitors.
    expect(await land('/?tab=2', '/')).toBe('https://app.test/?tab=2')
  }),
]
