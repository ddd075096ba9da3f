import { describe, expect, it } from 'vitest'
import { settingsOf } from '../../src/config/derive-settings.ts'
import { findAll, readShape, readText } from '../pages/read-html.ts'
import { openApp, origin, type AppOptions } from '../support/app.ts'
import { skipCSRFCheck } from '../../src/types/symbols.ts'
import { soon, until } from '../support/turns.ts'

const own = {
  signIn: '/login?lang=en',
  signOut: '/bye',
  error: '/oops?code=1',
  verifyRequest: '/look?in=mail',
}

/** The response to a GET from a new browser. */
function show(path: string, options: AppOptions = {}) {
  return openApp(options).agent().send(`/auth/${path}`)
}

async function locate(path: string, options: AppOptions = {}): Promise<string | null> {
  const answer = await show(path, options)
  expect(answer.status).toBe(302)
  return answer.headers.get('location')
}

describe('the built-in pages', () => {
  it('WIR-014 PRV-003 WIR-062 show a form for each provider that can sign in', async () => {
    const app = openApp()
    const agent = app.agent()
    const answer = await agent.send('/auth/signin?callbackUrl=/inbox&error=OAuthAccountNotLinked')
    const html = await answer.text()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html')
    expect(readText(html)).toContain('Sign in with Idp')
    expect(readText(html)).toContain('Sign in the way you did the first time')
    expect(findAll(html, 'form')[0]?.get('action')).toBe(`${origin}/auth/signin/idp`)
    const fields = findAll(html, 'input').map((input) => [input.get('name'), input.get('value')] as const)
    expect(Object.fromEntries(fields).callbackUrl).toBe(`${origin}/inbox`)
    const posted = await agent.send('/auth/signin/idp', {
      form: Object.fromEntries(fields) as Record<string, string>,
    })
    expect(posted.headers.get('location')).toContain('https://idp.test/authorize')
  })

  it('PAG-09 WIR-016 include pages for sign-out, errors and verify-request', async () => {
    const signOut = await show('signout')
    const html = await signOut.text()
    expect(findAll(html, 'form')[0]?.get('action')).toBe(`${origin}/auth/signout`)
    expect(findAll(html, 'a').map((link) => link.get('href'))).toEqual([origin])
    expect(findAll(html, 'input')[0]?.get('value')).toMatch(/^[0-9a-f]{64}$/)
    expect(readText(await (await show('verify-request')).text())).toContain('Check your email')
    expect(readText(await (await show('error?error=AccessDenied')).text())).toContain('Access denied')
  })

  it('WIR-056 WIR-016 have the status of the error', async () => {
    const statuses = { Configuration: 500, AccessDenied: 403, Verification: 403, Other: 200, toString: 200 }
    for (const [error, status] of Object.entries(statuses))
      expect((await show(`error?error=${error}`)).status, error).toBe(status)
    expect((await show('error')).status).toBe(200)
  })

  it('CK-13 DEC-32a send a strict policy, and forbid framing and caching', async () => {
    for (const path of ['signin', 'signout', 'error?error=Configuration', 'verify-request', 'nothing']) {
      const { headers } = await show(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toMatch(/style-src 'sha256-[\w+/=]{44}'/)
      expect(policy).not.toMatch(/unsafe|script-src/)
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('cache-control')).toBe('private, no-cache, no-store')
    }
  })

  it('DEC-32b CK-12 are not cacheable if they set a cookie', async () => {
    const app = openApp()
    const agent = app.agent()
    for (const path of ['csrf', 'signin', 'session', 'signout', 'providers', 'callback/idp']) {
      const { headers } = await agent.send(`/auth/${path}`)
      if (headers.getSetCookie().length > 0)
        expect(headers.get('cache-control')).toBe('private, no-cache, no-store')
    }
    const { csrfToken } = (await (await agent.send('/auth/csrf')).json()) as { csrfToken: string }
    const started = await agent.send('/auth/signin/idp', { form: { csrfToken, callbackUrl: '/x' } })
    expect(started.headers.getSetCookie().length).toBeGreaterThan(2)
    expect(started.headers.get('cache-control')).toBe('private, no-cache, no-store')
  })

  it('CFG-038 WIR-063 use the theme', async () => {
    const theme = {
      colorScheme: 'dark',
      brandColor: '#0a7a0a',
      logo: '/logo.svg',
      buttonText: '#fefefe',
    } as const
    for (const path of ['signin', 'signout', 'error', 'verify-request', 'nothing']) {
      const html = await (await show(path, { config: { theme } })).text()
      expect(html).toContain('<body class="__next-auth-theme-dark">')
      expect(html).toContain('--brand-color:#0a7a0a')
      expect(html).toContain('--button-text-color:#fefefe')
      expect(findAll(html, 'img')[0]?.get('src')).toBe('/logo.svg')
    }
    expect(await (await show('signin')).text()).toContain('__next-auth-theme-auto')
  })

  it('IL-05 escape the data of a request', async () => {
    const attack = `"><script>alert(1)</script>' onload=x`
    const plain = await (await show('signin?error=Other&email=a&callbackUrl=/x')).text()
    const query = new URLSearchParams({
      error: attack,
      email: attack,
      callbackUrl: `/${attack}`,
      csrfToken: attack,
      name: attack,
    })
    const html = await (await show(`signin?${query}`)).text()
    expect(readShape(html)).toEqual(readShape(plain))
    expect(html).not.toContain('<script')
    const failed = await (await show(`error?${query}`)).text()
    expect(readShape(failed)).toEqual(readShape(await (await show('error')).text()))
  })

  it('IL-05 PRV-003 escape the data of a configuration', async () => {
    const provider = {
      name: '<script>alert(1)</script>"',
      style: { brandColor: 'red;}</style>', logo: '"><img>' },
    }
    const html = await (await show('signin', { provider })).text()
    expect(readText(html)).toContain('Sign in with <script>alert(1)</script>"')
    expect(readShape(html)).toEqual(readShape(await (await show('signin')).text()))
  })

  it('WIR-062 WIR-011 have no CSRF token if CSRF is not checked', async () => {
    for (const path of ['signin', 'signout']) {
      const answer = await show(path, { config: { skipCSRFCheck } })
      expect(findAll(await answer.text(), 'input').map((input) => input.get('name'))).not.toContain(
        'csrfToken',
      )
      expect(answer.headers.getSetCookie().filter((line) => line.includes('csrf-token'))).toEqual([])
    }
  })

  it('DEC-34 WIR-014 time out when a callback never returns', async () => {
    let asked = false
    const redirect = () => {
      asked = true
      return new Promise<string>(() => undefined)
    }
    const app = openApp({ config: { callbacks: { redirect } } })
    const pending = app.agent().send('/auth/signin?callbackUrl=/x')
    await until(() => asked)
    app.clock.advance(30)
    const answer = await soon(pending)
    expect(answer.status).toBe(500)
    expect(readText(await answer.text())).toContain('Server error')
    expect(app.errors.at(-1)?.message).toContain('took longer than 30000 milliseconds')
  })
})

describe('custom pages', () => {
  it('CFG-023 WIR-014 signIn replaces the sign-in page, and receives callbackUrl and error', async () => {
    const pages = { signIn: own.signIn }
    expect(await locate('signin', { config: { pages } })).toBe(
      `${origin}/login?lang=en&callbackUrl=${encodeURIComponent(origin)}`,
    )
    expect(await locate('signin?callbackUrl=/inbox&error=X%26y&more=1', { config: { pages } })).toBe(
      `${origin}/login?lang=en&callbackUrl=${encodeURIComponent(`${origin}/inbox`)}&error=X%26y`,
    )
    expect(await locate('signin', { config: { pages: { signIn: 'https://id.test/in' } } })).toBe(
      `https://id.test/in?callbackUrl=${encodeURIComponent(origin)}`,
    )
  })

  it('CFG-024 WIR-016 signOut replaces the sign-out page', async () => {
    expect(await locate('signout?a=b', { config: { pages: { signOut: own.signOut } } })).toBe(`${origin}/bye`)
  })

  it('CFG-025 WIR-016 error replaces the error page, and receives the error', async () => {
    const config = { pages: { error: own.error } }
    expect(await locate('error?error=AccessDenied&more=1', { config })).toBe(
      `${origin}/oops?code=1&error=AccessDenied`,
    )
    expect(await locate('error', { config })).toBe(`${origin}/oops?code=1`)
  })

  it('CFG-026 WIR-016 verifyRequest replaces its page, and receives the query', async () => {
    expect(
      await locate('verify-request?provider=mail&type=email', {
        config: { pages: { verifyRequest: own.verifyRequest } },
      }),
    ).toBe(`${origin}/look?in=mail&provider=mail&type=email`)
  })

  it('CFG-022 do not affect the other pages', async () => {
    for (const [name, page] of Object.entries(own)) {
      const paths = { signIn: 'signin', signOut: 'signout', error: 'error', verifyRequest: 'verify-request' }
      for (const [other, path] of Object.entries(paths)) {
        const { status } = await show(path, { config: { pages: { [name]: page } } })
        expect(status, `${path} with ${name}`).toBe(other === name ? 302 : 200)
      }
    }
  })

  it('CFG-022 WIR-005 are rendered directly if they have the built-in paths', async () => {
    const pages = {
      signIn: '/auth/signin',
      signOut: '/auth/signout',
      error: '/auth/error',
      verifyRequest: '/auth/verify-request',
    }
    for (const path of ['signin', 'signout', 'error', 'verify-request'])
      expect((await show(path, { config: { pages } })).status).toBe(200)
  })
})

describe('a configuration error', () => {
  const broken = { secret: ' ' }
  const message =
    'There was a problem with the server configuration. Check the server logs for more information.'

  it('WIR-004 is returned as JSON to clients that do not accept pages, and to every POST', async () => {
    const paths = ['session', 'csrf', 'providers', 'callback/idp', 'webauthn-options/idp']
    for (const path of paths) {
      const answer = await show(path, { config: broken })
      expect(answer.status).toBe(500)
      expect(answer.headers.get('content-type')).toBe('application/json')
      expect(await answer.json()).toEqual({ message })
    }
    for (const path of [...paths, 'signin/idp', 'signin', 'signout']) {
      const app = openApp({ config: broken })
      const answer = await app.agent().send(`/auth/${path}`, { form: {} })
      expect(answer.status).toBe(500)
      expect(await answer.json()).toEqual({ message })
      expect(answer.headers.getSetCookie()).toEqual([])
      expect(app.errors.map(({ name }) => name)).toEqual(['MissingSecret'])
    }
  })

  it('WIR-005 IL-04 shows the error page to browsers, without details', async () => {
    for (const path of ['signin', 'signout', 'error', 'verify-request']) {
      const answer = await show(path, { config: broken })
      const text = readText(await answer.text())
      expect(answer.status).toBe(500)
      expect(text).toContain('Server error')
      expect(text).not.toMatch(/secret/i)
    }
  })

  it('WIR-005 redirects to the application’s own error page', async () => {
    const config = { ...broken, pages: { error: own.error } }
    for (const path of ['signin', 'signout', 'error', 'verify-request'])
      expect(await locate(path, { config })).toBe(`${origin}/oops?code=1&error=Configuration`)
    expect(await locate('signin?callbackUrl=/inbox', { config })).toBe(
      `${origin}/oops?code=1&error=Configuration`,
    )
  })

  it('WIR-005 never causes a redirect loop', async () => {
    const circles = [
      ['/oops', 'signin?callbackUrl=/oops'],
      ['/oops', 'signin?callbackUrl=/oops%3Ferror=Configuration'],
      ['/oops', `signin?callbackUrl=${encodeURIComponent(`${origin}/oops?error=Configuration`)}`],
      ['/auth/error', 'error'],
      ['/auth/signin', 'signin'],
      ['/auth/verify-request', 'error?error=Configuration'],
      [`${origin}/auth/signin`, 'signin'],
    ] as const
    for (const [error, path] of circles) {
      const app = openApp({ config: { ...broken, pages: { error } } })
      const answer = await app.agent().send(`/auth/${path}`)
      expect(answer.status, `${error} ${path}`).toBe(500)
      expect(readText(await answer.text())).toContain('Server error')
    }
    const app = openApp({ config: { ...broken, pages: { error: '/oops' } } })
    await app.agent().send('/auth/signin?callbackUrl=/oops')
    expect(app.errors.map(({ name }) => name)).toEqual(['ErrorPageLoop'])
    expect(settingsOf(app.config).fault?.type).toBe('MissingSecret')
  })
})
