import { describe, expect, it } from 'vitest'
import { CredentialsSignin } from '../../src/errors.ts'
import Credentials from '../../src/providers/credentials.ts'
import { findAll, readText } from '../pages/read-html.ts'
import { csrfOf, issuer, openApp, origin } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'
import { askForLink, openMailApp } from '../support/mail.ts'

const cookie = '__Host-authjs.refused-name'

function openPasswordApp(config = {}) {
  const login = Credentials({
    id: 'login',
    credentials: { username: {}, password: { type: 'password' }, otp: {} },
    authorize({ username }) {
      if (username === 'eve') throw new CredentialsSignin()
      return null
    },
  })
  return openApp({ providers: [login], config })
}

async function enter(agent: Agent, fields: Record<string, string>) {
  const form = { csrfToken: await csrfOf(agent), ...fields }
  return agent.send('/auth/callback/login', { form })
}

const secrets = { password: 'canary', otp: 'canary' }

async function readValues(answer: Response) {
  return findAll(await answer.text(), 'input')
    .filter((input) => input.get('type') !== 'hidden')
    .map((input) => input.get('value'))
}

describe('the name after a refused password', () => {
  it.each(['ada', 'eve'])('PAG-04 IL-09 is on the page once, and in no URL: %s', async (username) => {
    const agent = openPasswordApp().agent()
    const refused = await enter(agent, { username, ...secrets })
    const location = refused.headers.get('location') ?? ''
    expect(location).toBe(`${origin}/auth/signin?error=CredentialsSignin&code=credentials`)
    const line = refused.headers.getSetCookie().find((each) => each.startsWith(cookie)) ?? ''
    expect(line).toMatch(/; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/)
    expect(line).not.toContain(username)
    const path = location.slice(origin.length)
    expect(await readValues(await agent.send(path))).toEqual([username, undefined, undefined])
    expect(await readValues(await agent.send(path))).toEqual([undefined, undefined, undefined])
  })

  it('PAG-04 is not on the page of another browser, after a minute, or from a forged cookie', async () => {
    const app = openPasswordApp()
    const path = '/auth/signin?error=CredentialsSignin'
    const [agent, late] = [app.agent(), app.agent()]
    await enter(agent, { username: 'ada', ...secrets })
    await enter(late, { username: 'ada', ...secrets })
    const none = [undefined, undefined, undefined]
    expect(await readValues(await app.agent().send(`${path}&username=ada&name=ada`))).toEqual(none)
    const headers = { cookie: `${cookie}=ada` }
    expect(await readValues(await app.agent().send(path, { headers }))).toEqual(none)
    expect(await readValues(await agent.send('/auth/signin'))).toEqual(none)
    app.clock.advance(61)
    expect(await readValues(await late.send(path))).toEqual(none)
  })

  it('PAG-04 is not kept for a page of the application, or if it is long', async () => {
    const named = async (app: ReturnType<typeof openPasswordApp>, username: string) => {
      const { headers } = await enter(app.agent(), { username, ...secrets })
      return headers.getSetCookie().some((line) => line.startsWith(cookie))
    }
    expect(await named(openPasswordApp({ pages: { signIn: '/login' } }), 'ada')).toBe(false)
    for (const [length, isKept] of [
      [0, false],
      [256, true],
      [257, false],
    ] as const)
      expect([length, await named(openPasswordApp(), 'a'.repeat(length))]).toEqual([length, isKept])
  })
})

describe('the page that says that a mail was sent', () => {
  const verify = '/auth/verify-request?provider=mail&type=email'
  const strongIn = (html: string) => /<strong[^>]*>([^<]*)/.exec(html)?.[1]

  it.each(['link', 'code'] as const)(
    'PAG-08 names the address, and sends another %s to it',
    async (method) => {
      const app = openMailApp(openApp, { mail: { method } })
      const agent = app.agent()
      const sent = await askForLink(agent, 'Ada@example.com', { callbackUrl: '/inbox' })
      expect(sent.headers.get('location')).toBe(`${origin}${verify}`)
      const html = await (await agent.send(verify)).text()
      expect(strongIn(html)).toBe('ada@example.com')
      expect(findAll(html, 'a').map((link) => link.get('href'))).toContain(`${origin}/auth/signin`)
      const forms = findAll(html, 'form').map((form) => form.get('action'))
      expect(forms.at(-1)).toBe(`${origin}/auth/signin/mail`)
      const form = Object.fromEntries(
        findAll(html, 'input').flatMap((input) =>
          input.get('type') === 'hidden' ? [[input.get('name'), input.get('value')]] : [],
        ),
      ) as Record<string, string>
      const again = await agent.send('/auth/signin/mail', { form })
      expect(again.headers.get('location')).toBe(`${origin}${verify}`)
      expect(app.mails.map(({ identifier }) => identifier)).toEqual(['ada@example.com', 'ada@example.com'])
      if (method === 'link') expect(app.mails[1]?.url).toContain(encodeURIComponent(`${origin}/inbox`))
    },
  )

  it('PAG-08 shows the newest address, also if its link was requested to add the address', async () => {
    const app = openMailApp(openApp)
    const agent = app.agent()
    await askForLink(agent, 'ada@example.com')
    await askForLink(agent, 'bob@example.com')
    expect(strongIn(await (await agent.send(verify)).text())).toBe('bob@example.com')
  })

  it('PAG-08 shows no address to other browsers, and none from the query or of another provider', async () => {
    const app = openMailApp(openApp)
    const agent = app.agent()
    await askForLink(agent, 'ada@example.com')
    for (const [browser, path] of [
      [app.agent(), `${verify}&email=eve@example.com&identifier=eve@example.com`],
      [agent, '/auth/verify-request'],
      [agent, '/auth/verify-request?provider=other'],
    ] as const) {
      const html = await (await browser.send(path)).text()
      expect(readText(html)).toContain('We sent you a link')
      expect(readText(html)).not.toContain('@')
      expect(findAll(html, 'form')).toEqual([])
    }
    app.clock.advance(86_401)
    expect(await (await agent.send(verify)).text()).not.toContain('ada@')
  })
})

describe('a sign-in that was cancelled at the provider', () => {
  it('PAG-05 WIR-037 is a notice', async () => {
    const app = openApp()
    const decline = async (error: string) => {
      const agent = app.agent()
      const form = { csrfToken: await csrfOf(agent) }
      const started = new URL((await agent.send('/auth/signin/idp', { form })).headers.get('location') ?? '')
      const state = started.searchParams.get('state')
      const query = new URLSearchParams({ error, iss: issuer, ...(state !== null && { state }) })
      const answer = await agent.send(`/auth/callback/idp?${query}`)
      const location = answer.headers.get('location') ?? ''
      return { location, html: await (await agent.send(location.slice(origin.length))).text() }
    }
    const cancelled = await decline('access_denied')
    expect(cancelled.location).toBe(`${origin}/auth/signin?error=OAuthCallbackError&code=access_denied`)
    expect(readText(cancelled.html)).toContain('Sign-in was cancelled.')
    expect(cancelled.html).not.toContain('role="alert"')
    const failed = await decline('server_error')
    expect(failed.location).toBe(`${origin}/auth/signin?error=OAuthCallbackError`)
    expect(failed.html).toContain('role="alert"')
  })
})
