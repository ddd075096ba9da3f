import { expect } from 'vitest'
import { readForms } from '../../../fuzz/world/forms.ts'
import { skipCSRFCheck } from '../../../src/types/symbols.ts'
import type { RateLimitParams } from '../../../src/types/rate-limit.ts'
import { csrfOf, secret, sessionOf, type App } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { confirmLink, copyCookies } from '../../support/follow-link.ts'
import { askForLink, mailProvider, openMailApp, pathOf, type Mail } from '../../support/mail.ts'
import { csrfCookie, eventsOf, expectNotSignedIn } from '../expectations.ts'
import { scenario, type Stage } from '../scenario.ts'

const invalid = 'https://app.test/auth/error?error=Verification'
const formUrl = 'https://app.test/auth/verify-request?provider=mail&type=email'
const codeCookie = '__Host-authjs.requested-code'
const ada = 'ada@example.com'

type CodeApp = App & { readonly mails: Mail[] }
type Options = Parameters<typeof openMailApp>[1]

function openCodeApp(open: Stage['open'], { mail, ...options }: Options = {}): CodeApp {
  return openMailApp(open, { ...options, mail: { method: 'code', ...mail } })
}

/** An application that mails links as well, by another provider. */
function openBoth(open: Stage['open'], options: Options = {}): CodeApp {
  const mails: Mail[] = []
  const link = mailProvider(mails, { id: 'link' })
  const app = open({
    strategy: 'database',
    ...options,
    providers: [mailProvider(mails, { method: 'code', ...options.mail }), link],
  })
  return { ...app, mails }
}

/** Requests a code. @returns its digits */
async function askForCode(app: CodeApp, agent: Agent, email = ada, provider = 'mail'): Promise<string> {
  await askForLink(agent, email, { callbackUrl: '/home' }, provider)
  return app.mails.at(-1)?.token ?? 'nothing was mailed'
}

/** Submits the form for the code. @returns the redirect target */
async function enter(agent: Agent, code: string, form: Record<string, string> = {}, provider = 'mail') {
  const csrfToken = form.csrfToken ?? (await csrfOf(agent))
  const response = await agent.send(`/auth/callback/${provider}`, { form: { csrfToken, code, ...form } })
  return response.headers.get('location')
}

/** Another code of six digits. */
function wrong(code: string, by = 1): string {
  return String((Number(code) + by) % 1_000_000).padStart(6, '0')
}

const left = (attempts: number) => `${formUrl}&error=Verification&attempts=${attempts}`

/** Sign-ins with a code in a mail. */
export const mailCodeScenarios = [
  scenario(
    'CD-01 CD-02 CD-09 a code signs in once, in the browser that requested it, and goes where the request said',
    async ({ open }) => {
      const asked: object[] = []
      const app = openCodeApp(open, {
        config: { callbacks: { signIn: (params) => Boolean(asked.push(params)) } },
      })
      const agent = app.agent()
      const response = await askForLink(agent, 'Ada@Example.com', { callbackUrl: '/home' })
      expect(response.headers.get('location')).toBe(formUrl)
      expect(app.ended()).toBe('codeMailed')
      const [mail] = app.mails
      expect(mail?.token).toMatch(/^\d{6}$/)
      expect(mail).toMatchObject({ identifier: ada, url: formUrl, provider: { method: 'code' } })
      expect(mail?.expires).toEqual(new Date(app.clock.now() + 600_000))
      const code = mail?.token ?? ''
      expect(await enter(agent, code)).toBe('https://app.test/home')
      expect(app.ended()).toBe('signedIn')
      expect(await sessionOf(agent)).toMatchObject({ user: { email: ada } })
      expect(agent.cookies()).not.toHaveProperty(codeCookie)
      expect(app.rows.tokens()).toEqual([])
      expect(eventsOf(app).slice(0, 2)).toEqual(['createUser', 'signIn'])
      expect(app.events[1]?.message).toMatchObject({ isNewUser: true, account: { type: 'email' } })
      expect(asked).toMatchObject([{ email: { verificationRequest: true } }, { account: { type: 'email' } }])
      expect(asked[1]).not.toHaveProperty('email')
      expect(await enter(agent, code)).toBe(invalid)
    },
  ),

  scenario(
    'CD-09 the page after the request asks for the code, without a script, and says how many attempts are left',
    async ({ open }) => {
      const app = openCodeApp(open)
      const agent = app.agent()
      const code = await askForCode(app, agent)
      const page = await (await agent.send(formUrl)).text()
      expect(page).toContain('inputmode="numeric"')
      expect(page).toContain('autocomplete="one-time-code"')
      expect(page).not.toContain('Attempt')
      const [form] = readForms(page)
      expect(form).toMatchObject({ method: 'post', action: 'https://app.test/auth/callback/mail' })
      const submit = (typed: string) =>
        agent.send('/auth/callback/mail', { form: { ...form?.fields, code: typed } })
      expect((await submit(wrong(code))).headers.get('location')).toBe(left(4))
      expect(app.ended()).toBe('codeMismatched')
      expect(app.errors.map(({ name, message }) => [name, message])).toEqual([
        ['Verification', 'The code is wrong'],
      ])
      expect(await (await agent.send(left(4))).text()).toContain('Attempts left: 4.')
      expect(await (await agent.send(left(1))).text()).toContain('Attempts left: 1.')
      for (const attempts of ['0', '5', '-1', 'x', '10'])
        expect(await (await agent.send(`${formUrl}&attempts=${attempts}`)).text()).not.toContain('Attempt')
      expect((await submit(code)).headers.get('location')).toBe('https://app.test/home')
    },
  ),

  scenario('CD-09 a script gets JSON, and learns whether another attempt makes sense', async ({ open }) => {
    const app = openCodeApp(open)
    const agent = app.agent()
    const code = await askForCode(app, agent)
    const submit = async (typed: string) => {
      const form = { csrfToken: await csrfOf(agent), code: typed }
      const headers = { 'x-auth-return-redirect': '1' }
      const response = await agent.send('/auth/callback/mail', { form, headers })
      return [response.status, await response.json()]
    }
    expect(await submit(wrong(code))).toEqual([200, { url: left(4), ok: false }])
    expect(await submit(code)).toEqual([200, { url: 'https://app.test/home' }])
    expect(await submit(code)).toEqual([200, { url: invalid, ok: false }])
  }),

  scenario('CD-09 WIR-046 the page that says that a link was sent has no form', async ({ open }) => {
    const app = openBoth(open)
    for (const query of ['provider=link&type=email', 'provider=other&type=email', '']) {
      const page = await app.agent().send(`/auth/verify-request?${query}`)
      expect(readForms(await page.text())).toEqual([])
      expect(page.headers.getSetCookie()).toEqual([])
    }
  }),

  scenario('CD-09 a page of your own gets the provider, the error and the attempts', async ({ open }) => {
    const app = openCodeApp(open, { config: { pages: { verifyRequest: '/enter' } } })
    const shown = await app.agent().send(left(3))
    expect(shown.headers.get('location')).toBe(
      'https://app.test/enter?provider=mail&type=email&error=Verification&attempts=3',
    )
  }),

  scenario('CD-02 after five wrong guesses the right code is refused', async ({ open }) => {
    const app = openCodeApp(open)
    const agent = app.agent()
    const code = await askForCode(app, agent)
    for (const attempts of [4, 3, 2, 1]) expect(await enter(agent, wrong(code))).toBe(left(attempts))
    expect(await enter(agent, wrong(code))).toBe(invalid)
    expect(app.ended()).toBe('codeExhausted')
    expect(agent.cookies()).not.toHaveProperty(codeCookie)
    expect(app.rows.tokens()).toEqual([])
    expect(await enter(agent, code)).toBe(invalid)
    await expectNotSignedIn(app, agent)
    expect(await enter(agent, await askForCode(app, agent))).toBe('https://app.test/home')
  }),

  scenario('CD-02 a cookie from before a guess is worth no other guess', async ({ open }) => {
    const app = openCodeApp(open)
    const agent = app.agent()
    const code = await askForCode(app, agent)
    const copy = copyCookies(agent, app.agent())
    expect(await enter(agent, wrong(code))).toBe(left(4))
    expect(await enter(copy, code)).toBe(invalid)
    expect(app.ended()).toBe('invalid')
    await expectNotSignedIn(app, copy)
    expect(await enter(agent, code)).toBe('https://app.test/home')
  }),

  scenario('CD-03 a code signs in no browser but the one that requested it', async ({ open }) => {
    const app = openCodeApp(open)
    const eve = app.agent()
    const code = await askForCode(app, eve)
    const victim = app.agent()
    expect(await enter(victim, code)).toBe(invalid)
    await askForCode(app, victim, 'bob@example.com')
    expect(await enter(victim, code)).toBe(left(4))
    await expectNotSignedIn(app, victim)
    expect(await enter(eve, code)).toBe('https://app.test/home')
  }),

  scenario('CD-03 a guess cannot name another address, provider or destination', async ({ open }) => {
    const app = openCodeApp(open)
    const agent = app.agent()
    const code = await askForCode(app, agent)
    const bob = 'bob@example.com'
    const form = { email: bob, identifier: bob, provider: 'other', callbackUrl: '/elsewhere' }
    expect(await enter(agent, code, form)).toBe('https://app.test/home')
    expect(await sessionOf(agent)).toMatchObject({ user: { email: ada } })
  }),

  scenario('CD-03 SU-15 a code of one provider is not accepted by another', async ({ open }) => {
    const mails: Mail[] = []
    const second = mailProvider(mails, { id: 'second', method: 'code' })
    const providers = [mailProvider(mails, { method: 'code' }), second]
    const app = { ...open({ strategy: 'database', providers }), mails }
    const agent = app.agent()
    const code = await askForCode(app, agent)
    expect(await enter(agent, code, {}, 'second')).toBe(invalid)
    expect(app.errors.at(-1)?.message).toMatch('no code of this provider')
    await expectNotSignedIn(app, agent)
    expect(await enter(agent, code)).toBe('https://app.test/home')
  }),

  scenario('PAG-08 CD-09 the page of another provider does not show the address', async ({ open }) => {
    const mails: Mail[] = []
    const second = mailProvider(mails, { id: 'second', method: 'code' })
    const providers = [mailProvider(mails, { method: 'code' }), second]
    const agent = open({ strategy: 'database', providers }).agent()
    await askForLink(agent, ada)
    expect(await (await agent.send(formUrl)).text()).toContain(ada)
    const other = await (await agent.send('/auth/verify-request?provider=second&type=email')).text()
    expect(readForms(other)).toHaveLength(1)
    expect(other).not.toContain(ada)
  }),

  scenario('CD-04 a cookie planted in another browser signs nobody in', async ({ open }) => {
    const app = openCodeApp(open)
    const eve = app.agent()
    const code = await askForCode(app, eve, 'eve@example.com')
    const victim = app.agent()
    await csrfOf(victim)
    victim.set(`${codeCookie}=${eve.cookies()[codeCookie]}; Path=/; Secure`)
    expect(await enter(victim, code)).toBe(invalid)
    victim.forget(codeCookie)
    victim.set(`${codeCookie}=${'x'.repeat(200)}; Path=/; Secure`)
    expect(await enter(victim, code)).toBe(invalid)
    await expectNotSignedIn(app, victim)
    expect(await enter(eve, code)).toBe('https://app.test/home')
  }),

  scenario(
    'CD-04 a request without a CSRF check binds the code to a new token, which a guess needs',
    async ({ open }) => {
      const app = openCodeApp(open)
      const unchecked = open({
        strategy: 'database',
        providers: app.config.providers,
        wrap: () => app.store,
        config: { skipCSRFCheck },
      })
      for (const [isChecked, isBound] of [
        [true, true],
        [true, false],
        [false, false],
      ]) {
        const action = unchecked.agent()
        await action.send('/auth/signin/mail', { form: { email: ada, callbackUrl: '/home' } })
        const code = app.mails.at(-1)?.token ?? ''
        const agent = copyCookies(action, (isChecked ? app : unchecked).agent())
        if (!isBound) agent.forget(csrfCookie)
        const form: Record<string, string> = isChecked ? {} : { csrfToken: 'none' }
        expect(await enter(agent, code, form)).toBe(isChecked && !isBound ? invalid : 'https://app.test/home')
      }
    },
  ),

  scenario('CD-05 a code is refused from its expiry on, also after a wrong guess', async ({ open }) => {
    for (const [maxAge, lifetime] of [
      [undefined, 600],
      [120, 120],
      [86_400, 600],
    ] as const) {
      const app = openCodeApp(open, { mail: { maxAge } })
      const agent = app.agent()
      const code = await askForCode(app, agent)
      app.clock.advance(lifetime - 1)
      expect(await enter(agent, wrong(code))).toBe(left(4))
      expect(app.rows.tokens()).toMatchObject([{ expires: new Date(app.clock.now() + 1000) }])
      app.clock.advance(1)
      expect(await enter(agent, code)).toBe(invalid)
      await expectNotSignedIn(app, agent)
      const second = await askForCode(app, agent)
      app.clock.advance(lifetime - 1)
      expect(await enter(agent, second)).toBe('https://app.test/home')
    }
  }),

  scenario('CD-05 a code is not valid for a fraction of a second longer', async ({ open }) => {
    const app = openCodeApp(open)
    app.clock.advance(0.4)
    const agent = app.agent()
    const code = await askForCode(app, agent)
    app.clock.advance(0.9)
    expect(await enter(agent, wrong(code))).toBe(left(4))
    app.clock.advance(599.2)
    expect(await enter(agent, code)).toBe(invalid)
    await expectNotSignedIn(app, agent)
  }),

  scenario('CD-06 a newer request in the same browser invalidates the older code', async ({ open }) => {
    const app = openCodeApp(open)
    const agent = app.agent()
    const older = await askForCode(app, agent)
    const copy = copyCookies(agent, app.agent())
    const elsewhere = app.agent()
    const other = await askForCode(app, elsewhere)
    const newer = await askForCode(app, agent, 'bob@example.com')
    expect(await enter(copy, older)).toBe(invalid)
    if (older !== newer) expect(await enter(agent, older)).toBe(left(4))
    await expectNotSignedIn(app, agent)
    expect(await enter(agent, newer)).toBe('https://app.test/home')
    expect(await sessionOf(agent)).toMatchObject({ user: { email: 'bob@example.com' } })
    expect(await enter(elsewhere, other)).toBe('https://app.test/home')
  }),

  scenario(
    'CD-07 CD-10 a code is in no URL, page, log entry, event or row, and readable in no cookie',
    async ({ open }) => {
      const app = openCodeApp(open)
      const agent = app.agent()
      const asked = await askForLink(agent, ada)
      const code = app.mails[0]?.token ?? ''
      const seen: unknown[] = [asked.headers.get('location'), agent.cookies(), [...app.rows.tokens()]]
      seen.push(await (await agent.send(formUrl)).text(), await enter(agent, wrong(code)), agent.cookies())
      seen.push([...app.rows.tokens()], await enter(agent, code), app.events, app.debugs)
      seen.push(
        app.errors.map((error) => [error.message, error.cause]),
        app.mails[0]?.url,
      )
      expect(JSON.stringify(seen)).not.toContain(code)
      expect(app.warnings).toContain('weak-link-token')
    },
  ),

  scenario(
    'CD-08 SU-13 spaces and dashes are ignored, and nothing but the digits signs in',
    async ({ open }) => {
      const app = openCodeApp(open)
      for (const write of [
        (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)}\t`,
        (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`,
        (code: string) => [...code].join('\u2013'),
        (code: string) => code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
        (code: string) => code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x0660 + Number(digit))),
      ]) {
        const agent = app.agent()
        expect(await enter(agent, write(await askForCode(app, agent)))).toBe('https://app.test/home')
      }
      const agent = app.agent()
      const code = await askForCode(app, agent)
      const csrfToken = await csrfOf(agent)
      for (const json of [undefined, null, [code], { value: code }, '', ' - ', Number(code), true]) {
        const response = await agent.send('/auth/callback/mail', { json: { csrfToken, code: json } })
        expect(response.headers.get('location')).toBe(invalid)
      }
      const twice = new URLSearchParams([
        ['csrfToken', csrfToken],
        ['code', code],
        ['code', code],
      ])
      const response = await agent.send('/auth/callback/mail', { form: twice })
      expect(response.headers.get('location')).toBe(invalid)
      for (const query of [`code=${code}`, `token=${code}&email=${ada}`])
        expect((await agent.send(`/auth/callback/mail?${query}`)).headers.get('location')).toBe(invalid)
      expect(await sessionOf(agent)).toBeNull()
      expect(await enter(agent, `${code}0`)).toBe(left(4))
      expect(await enter(agent, code.slice(1))).toBe(left(3))
      expect(await enter(agent, code)).toBe('https://app.test/home')
    },
  ),

  scenario('TX-18 CD-03 a code needs the CSRF token of the browser', async ({ open }) => {
    const app = openCodeApp(open)
    const agent = app.agent()
    const code = await askForCode(app, agent)
    for (const csrfToken of ['', 'x'.repeat(64), await csrfOf(app.agent())]) {
      const response = await agent.send('/auth/callback/mail', { form: { csrfToken, code } })
      expect(response.headers.get('location')).toBe('https://app.test/auth/signin?error=MissingCSRF')
      expect(app.ended()).toBe('refused')
    }
    await expectNotSignedIn(app, agent)
    expect(await enter(agent, code)).toBe('https://app.test/home')
  }),

  scenario(
    'OPT-003 CD-02 requests and guesses are rate-limited, and a refused guess uses up no attempt',
    async ({ open }) => {
      const asked: RateLimitParams[] = []
      let isOver = false
      const app = openCodeApp(open, {
        config: { callbacks: { rateLimit: (params) => (asked.push(params), !isOver) } },
      })
      const agent = app.agent()
      const code = await askForCode(app, agent)
      isOver = true
      expect(await enter(agent, code)).toBe('https://app.test/auth/error?error=RateLimited')
      expect(app.ended()).toBe('denied')
      isOver = false
      expect(await enter(agent, wrong(code))).toBe(left(4))
      expect(await enter(agent, code)).toBe('https://app.test/home')
      const identifier = ada
      expect(asked.map(({ request: _, ...attempt }) => attempt)).toEqual([
        { type: 'email', provider: 'mail', identifier },
        ...Array.from({ length: 3 }, () => ({ type: 'verification', provider: 'mail', identifier })),
      ])
      expect(app.warnings).not.toContain('weak-link-token')
    },
  ),

  scenario('SU-11 CD-01 a mail that fails leaves no row, no cookie and no usable code', async ({ open }) => {
    const sent: Mail[] = []
    const app = openCodeApp(open, {
      mail: {
        sendVerificationRequest(mail) {
          expect(app.rows.tokens()).toMatchObject([{ identifier: ada, expires: mail.expires }])
          sent.push(mail)
          throw new Error('the mail server refuses')
        },
      },
    })
    const agent = app.agent()
    const response = await askForLink(agent, ada)
    expect(response.headers.get('location')).toBe('https://app.test/auth/signin?error=EmailSignInError')
    expect(app.ended()).toBe('failed')
    expect(app.rows.tokens()).toEqual([])
    expect(await enter(agent, sent[0]?.token ?? '')).toBe(invalid)
    await expectNotSignedIn(app, agent)
  }),

  scenario('CD-01 SU-12 the signIn callback decides before the mail and after the code', async ({ open }) => {
    let answer: boolean | string = false
    const app = openCodeApp(open, { config: { callbacks: { signIn: () => answer } } })
    const agent = app.agent()
    await askForLink(agent, ada)
    expect(app.mails).toEqual([])
    answer = true
    const first = await askForCode(app, agent)
    answer = false
    expect(await enter(agent, first)).toBe('https://app.test/auth/error?error=AccessDenied')
    expect(app.ended()).toBe('denied')
    await expectNotSignedIn(app, agent)
    answer = true
    const second = await askForCode(app, agent)
    answer = '/ask-first'
    expect(await enter(agent, second)).toBe('https://app.test/ask-first')
    expect(app.ended()).toBe('sentElsewhere')
    await expectNotSignedIn(app, agent)
  }),

  scenario('CD-02 KEY-01 a code of an older secret works, and its next attempts do', async ({ open }) => {
    const app = openCodeApp(open)
    const agent = app.agent()
    const code = await askForCode(app, agent)
    const rotated = open({
      strategy: 'database',
      providers: app.config.providers,
      wrap: () => app.store,
      config: { secret: ['a newer secret of the tests, long enough', secret] },
    })
    const later = copyCookies(agent, rotated.agent())
    expect(await enter(later, wrong(code))).toBe(left(4))
    expect(await enter(later, code)).toBe('https://app.test/home')
  }),

  scenario('CD-02 MD-02 a code and a link of one browser do not disturb each other', async ({ open }) => {
    const app = openBoth(open)
    const agent = app.agent()
    const link = async () => {
      await askForLink(agent, ada, {}, 'link')
      return app.mails.at(-1) as Mail
    }
    const first = await askForCode(app, agent)
    const second = await link()
    expect(await enter(agent, wrong(first))).toBe(left(4))
    await agent.send(pathOf(second))
    expect(app.ended()).toBe('signedIn')
    expect(agent.cookies()).toHaveProperty(codeCookie)
    // The sign-in changed the CSRF token, to which the code is bound.
    expect(await enter(agent, first)).toBe(invalid)
    const third = await askForCode(app, agent)
    await link()
    for (const attempts of [4, 3, 2, 1]) {
      expect(await enter(agent, wrong(third))).toBe(left(attempts))
      await link()
    }
    const fourth = await link()
    expect(await enter(agent, wrong(third))).toBe(invalid)
    await agent.send(pathOf(fourth))
    expect(app.ended()).toBe('signedIn')
  }),

  scenario('MD-02 CD-02 a guess while a page asks to confirm a link', async ({ open }) => {
    const app = openBoth(open)
    const agent = app.agent()
    await askForLink(app.agent(), ada, {}, 'link')
    const mail = app.mails.at(-1) as Mail
    const code = await askForCode(app, agent)
    for (const attempts of [4, 3, 2, 1]) {
      await agent.send(pathOf(mail))
      expect(app.ended()).toBe('awaitingConfirmation')
      expect(await enter(agent, wrong(code))).toBe(left(attempts))
    }
    const page = await agent.send(pathOf(mail))
    expect(await enter(agent, wrong(code))).toBe(invalid)
    await confirmLink(agent, page)
    expect(app.ended()).toBe('signedIn')
  }),

  scenario('FI-01 CD-02 a store that fails ends in the error page, and signs nobody in', async ({ open }) => {
    let isDown = false
    const app = openCodeApp(open, {
      wrap: (adapter) => ({
        ...adapter,
        createVerificationToken(token) {
          if (isDown) throw new Error('the store is down')
          return adapter.createVerificationToken?.(token)
        },
      }),
    })
    const agent = app.agent()
    const code = await askForCode(app, agent)
    isDown = true
    expect(await enter(agent, wrong(code))).toBe('https://app.test/auth/error?error=Configuration')
    expect(app.ended()).toBe('faulted')
    isDown = false
    expect(await enter(agent, code)).toBe(invalid)
    await expectNotSignedIn(app, agent)
  }),

  scenario(
    'TX-17 TX-18 EM-06 a request for a code needs the CSRF token and an address, and otherwise mails nothing',
    async ({ open }) => {
      const app = openCodeApp(open)
      const unchecked = await askForLink(app.agent(), ada, { csrfToken: 'f'.repeat(64) })
      expect(unchecked.headers.get('location')).toBe('https://app.test/auth/signin?error=MissingCSRF')
      expect(app.ended()).toBe('refused')
      const malformed = await askForLink(app.agent(), 'a@b@c.test')
      expect(malformed.headers.get('location')).toBe('https://app.test/auth/signin?error=EmailSignInError')
      expect(app.ended()).toBe('refused')
      expect([app.mails, app.rows.tokens()]).toEqual([[], []])
    },
  ),

  scenario(
    'TX-18 CD-08 without the CSRF token, a form without a code is refused for the token',
    async ({ open }) => {
      const app = openCodeApp(open)
      const response = await app.agent().send('/auth/callback/mail', { form: { code: '' } })
      expect(response.headers.get('location')).toBe('https://app.test/auth/signin?error=MissingCSRF')
      expect(app.ended()).toBe('refused')
    },
  ),

  scenario('RL-02 CD-01 a request over the rate limit mails no code', async ({ open }) => {
    const app = openCodeApp(open, { config: { callbacks: { rateLimit: () => false } } })
    const response = await askForLink(app.agent(), ada)
    expect(response.headers.get('location')).toBe('https://app.test/auth/error?error=RateLimited')
    expect(app.ended()).toBe('denied')
    expect(app.mails).toEqual([])
  }),

  scenario('SU-12 CB-01 a redirect of the signIn callback comes before the mail', async ({ open }) => {
    const app = openCodeApp(open, { config: { callbacks: { signIn: () => '/apply' } } })
    const response = await askForLink(app.agent(), ada)
    expect(response.headers.get('location')).toBe('https://app.test/apply')
    expect(app.ended()).toBe('sentElsewhere')
    expect(app.mails).toEqual([])
  }),

  scenario('SU-11 FI-01 a code whose row cannot be stored is not mailed', async ({ open }) => {
    const app = openCodeApp(open, {
      wrap: (adapter) => ({
        ...adapter,
        createVerificationToken: () => {
          throw new Error('disk full')
        },
      }),
    })
    const response = await askForLink(app.agent(), ada)
    expect(response.headers.get('location')).toBe('https://app.test/auth/error?error=Configuration')
    expect(app.ended()).toBe('faulted')
    expect(app.mails).toEqual([])
  }),

  scenario('EM-10 AL-07 CC-02 a code verifies the address of its user once', async ({ open }) => {
    const app = openCodeApp(open)
    await app.store.createUser({ id: 'u1', email: ada, emailVerified: null })
    const agent = app.agent()
    const at = new Date(app.clock.now())
    await enter(agent, await askForCode(app, agent))
    expect(app.rows.users()).toMatchObject([{ id: 'u1', emailVerified: at }])
    app.clock.advance(60)
    await enter(agent, await askForCode(app, agent))
    expect(app.rows.users()).toMatchObject([{ id: 'u1', emailVerified: at }])
  }),

  scenario(
    'CC-02 DEC-20a a code signs in the user that a concurrent request has created',
    async ({ open }) => {
      const app = openCodeApp(open, {
        wrap: (adapter) => ({
          ...adapter,
          createUser: async (user) => {
            await adapter.createUser?.({ ...user, id: 'faster', name: 'Faster' })
            throw new Error('duplicate key')
          },
        }),
      })
      const agent = app.agent()
      expect(await enter(agent, await askForCode(app, agent))).toBe('https://app.test/home')
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Faster' } })
    },
  ),

  scenario('FI-09 CC-02 a code works again if its user could not be stored', async ({ open }) => {
    let isFull = true
    const app = openCodeApp(open, {
      wrap: (adapter) => ({
        ...adapter,
        createUser(user) {
          if (isFull) throw new Error('disk full')
          return adapter.createUser?.(user) ?? user
        },
      }),
    })
    const agent = app.agent()
    const code = await askForCode(app, agent)
    expect(await enter(agent, code)).toBe('https://app.test/auth/error?error=Configuration')
    expect(app.ended()).toBe('restored')
    isFull = false
    expect(await enter(agent, code)).toBe('https://app.test/home')
  }),

  scenario('CD-10 a method or an option that cannot be meant is a configuration fault', async ({ open }) => {
    for (const [mail, message] of [
      [
        { method: 'sms' as 'code' },
        '`method` of provider "mail" must be "link" or "code", got a value of type string',
      ],
      [
        { generateVerificationToken: () => '314159' },
        'Provider "mail" has `method: "code"`, which creates the codes. Remove `generateVerificationToken`',
      ],
    ] as const) {
      const app = openCodeApp(open, { mail })
      await app.agent().send('/auth/session')
      expect(app.errors.map((error) => error.message)).toContain(message)
    }
  }),

  scenario(
    'SE-02 a code replaces the session of a returning user, who is looked up once',
    async ({ open }) => {
      const app = openCodeApp(open)
      const agent = app.agent()
      await enter(agent, await askForCode(app, agent))
      const [first] = app.rows.sessions()
      expect(await enter(agent, await askForCode(app, agent))).toBe('https://app.test/home')
      const sessions = app.rows.sessions().map(({ sessionToken }) => sessionToken)
      expect(sessions).toHaveLength(1)
      expect(sessions).not.toContain(first?.sessionToken)
      expect(app.hops.filter(({ next }) => next.endsWith('rereading'))).toEqual([])
    },
  ),

  scenario(
    'CD-01 CD-06 a refusal of the application and a malformed code have ends of their kind',
    async ({ open }) => {
      let isAllowed = false
      const app = openCodeApp(open, { config: { callbacks: { signIn: () => isAllowed } } })
      const agent = app.agent()
      await askForLink(agent, ada)
      expect([app.ended(), app.mails]).toEqual(['denied', []])
      isAllowed = true
      await askForCode(app, agent)
      expect(await enter(agent, ' ')).toBe(invalid)
      expect(app.ended()).toBe('invalid')
    },
  ),
]
