import { CookieJar } from 'tough-cookie'
import { Unreached } from './breach.ts'
import { readForms } from './forms.ts'
import type { Mail } from './mailbox.ts'
import { type Person, type ProviderName, type RemoteName } from './people.ts'
import { member, type Reply } from './reply.ts'

/** A request as a browser sends it. */
export interface Sending {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>> | URLSearchParams
  readonly json?: unknown
  /** Whether a page of another site sends it: a POST then carries no `Lax` or `Strict` cookies. */
  readonly crossSite?: boolean
  /** A description for the trace. */
  readonly says?: string
}

/** The parameters with which an identity provider redirects the browser back. */
export interface Arrival {
  readonly provider: RemoteName
  readonly parameters: URLSearchParams
  readonly mode: 'query' | 'form_post'
}

/** A user agent. It stores cookies as RFC 6265bis says, and follows no redirect by itself. */
export interface Browser {
  readonly name: string
  readonly send: (path: string, sending?: Sending) => Promise<Reply>
  /** Returns the names and values of the cookies that it would send. */
  readonly cookies: () => Readonly<Record<string, string>>
  readonly setCookie: (line: string) => void
  readonly dropCookie: (name: string) => void
  /** Copies its cookies, for `restore`. */
  readonly save: () => Saved
  readonly restore: (saved: Saved) => void

  readonly csrfToken: () => Promise<string>
  /** Starts a sign-in: posts the form of a provider's button. */
  readonly start: (provider: ProviderName, form?: Readonly<Record<string, string>>) => Promise<Reply>
  /** Starts a sign-in, and consents at the provider as this person. @throws {Unreached} if it is not redirected there */
  readonly visit: (
    provider: RemoteName,
    as: Person,
    form?: Readonly<Record<string, string>>,
  ) => Promise<Arrival>
  /** Requests the callback to which the provider redirects it. */
  readonly arrive: (arrival: Arrival) => Promise<Reply>
  /** Requests a sign-in link, and returns the mail. @throws {Unreached} if no mail arrives */
  readonly requestLink: (address: string, form?: Readonly<Record<string, string>>) => Promise<Mail>
  /** Opens the link of a mail, and does not press a button. */
  readonly openLink: (mail: Mail) => Promise<Reply>
  /** Opens the link of a mail, and presses the button if the page has one. */
  readonly followLink: (mail: Mail) => Promise<Reply>
  readonly enterPassword: (person: Person, password?: string) => Promise<Reply>
  /** Completes a sign-in. @throws {Unreached} if this person has no session afterwards */
  readonly signIn: (provider: Exclude<ProviderName, 'passkey'>, as: Person) => Promise<Reply>
  readonly readSession: () => Promise<Reply>
  /** Returns the name of the person whose session it has, or an unknown user's address; undefined without a session. */
  readonly whoAmI: () => Promise<string | undefined>
  readonly signOut: (form?: Readonly<Record<string, string>>) => Promise<Reply>
}

export type Saved = Awaited<ReturnType<CookieJar['serialize']>>

/** The parts of the world that a browser needs. */
export interface Around {
  readonly origin: string
  readonly basePath: string
  readonly idOf: (provider: ProviderName) => string
  readonly deliver: (browser: Browser, request: Request, sending: Sending) => Promise<Reply>
  readonly consent: (browser: Browser, provider: RemoteName, as: Person, url: URL) => Promise<Arrival>
  readonly mailTo: (address: string, after: number) => Promise<Mail | undefined>
  readonly mailCount: () => number
  readonly whoIs: (session: unknown) => string | undefined
}

export function openBrowser(name: string, around: Around): Browser {
  const { origin, basePath } = around
  let jar = openJar()
  const held = () => jar.getCookiesSync(origin)
  const at = (path: string) => `${basePath}/${path}`

  const browser: Browser = {
    name,
    async send(path, sending = {}) {
      // A path of a link may begin with `//`, which alone would name another host.
      const url = new URL(path.startsWith('/') ? `${origin}${path}` : path, origin)
      const { crossSite, form, json, headers } = sending
      const sent = jar.getCookiesSync(url.href).filter(({ sameSite }) => !crossSite || sameSite === 'none')
      const body = form
        ? new URLSearchParams(form).toString()
        : json === undefined
          ? null
          : JSON.stringify(json)
      const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
      const request = new Request(url, {
        method: sending.method ?? (body === null ? 'GET' : 'POST'),
        headers: {
          ...(body !== null && { 'content-type': type }),
          ...(sent.length > 0 && { cookie: sent.map((cookie) => cookie.cookieString()).join('; ') }),
          ...headers,
        },
        body,
        redirect: 'manual',
      })
      const reply = await around.deliver(browser, request, sending)
      for (const line of reply.headers.getSetCookie())
        jar.setCookieSync(line, url.href, { ignoreError: true })
      return reply
    },
    cookies: () => Object.fromEntries(held().map(({ key, value }) => [key, value])),
    setCookie: (line) => void jar.setCookieSync(line, origin, { ignoreError: true }),
    dropCookie: (cookie) => jar.setCookieSync(`${cookie}=; Max-Age=0; Path=/; Secure`, origin),
    save() {
      const saved = jar.serializeSync()
      if (!saved) throw new Error('The store of the cookie jar is not synchronous')
      return saved
    },
    restore: (saved) => void (jar = CookieJar.deserializeSync(saved)),

    async csrfToken() {
      const { json } = await browser.send(at('csrf'), { says: 'requests a CSRF token' })
      const token = member(json, 'csrfToken')
      if (typeof token !== 'string') throw new Unreached('the csrf route returned no token')
      return token
    },
    async start(provider, form = {}) {
      const csrfToken = await browser.csrfToken()
      return browser.send(at(`signin/${around.idOf(provider)}`), {
        form: { csrfToken, ...form },
        says: `starts a sign-in at ${provider}`,
      })
    },
    async visit(provider, as, form) {
      const { location, status } = await browser.start(provider, form)
      if (!location || location.origin === origin)
        throw new Unreached(
          `the sign-in at ${provider} did not redirect to a provider, but returned ${location?.pathname ?? status}`,
        )
      return around.consent(browser, provider, as, location)
    },
    arrive({ provider, parameters, mode }) {
      const path = at(`callback/${around.idOf(provider)}`)
      const says = `returns from ${provider}`
      return mode === 'query'
        ? browser.send(`${path}?${parameters}`, { says })
        : browser.send(path, { form: parameters, crossSite: true, says })
    },
    async requestLink(address, form = {}) {
      const before = around.mailCount()
      const { status, location } = await browser.start('mail', { email: address, ...form })
      const mail = await around.mailTo(address, before)
      if (!mail) throw new Unreached(`no mail arrived at ${address}: ${status} ${location?.href ?? ''}`)
      return mail
    },
    openLink: ({ link }) =>
      browser.send(`${link.pathname}${link.search}`, { says: 'opens the link in the mail' }),
    async followLink(mail) {
      const reply = await browser.openLink(mail)
      const token = mail.link.searchParams.get('token')
      const form = readForms(reply.text).find(
        ({ method, fields }) => method === 'post' && fields.token === token,
      )
      if (!form) return reply
      const action = new URL(form.action, mail.link)
      return browser.send(`${action.pathname}${action.search}`, {
        form: form.fields,
        says: 'presses the button on the page',
      })
    },
    async enterPassword({ name: username, password: right }, password = right) {
      const csrfToken = await browser.csrfToken()
      return browser.send(at(`callback/${around.idOf('form')}`), {
        form: { csrfToken, username, password },
        says: `enters a password for ${username}`,
      })
    },
    async signIn(provider, as) {
      const reply = await signInBy(browser, provider, as)
      const me = await browser.whoAmI()
      if (me !== as.name) {
        const why = reply.location?.search || reply.status
        throw new Unreached(`${as.name} could not sign in at ${provider}: ${me ?? 'no session'} (${why})`)
      }
      return reply
    },
    readSession: () => browser.send(at('session'), { says: 'reads the session' }),
    whoAmI: async () => around.whoIs((await browser.readSession()).json),
    async signOut(form = {}) {
      const csrfToken = await browser.csrfToken()
      return browser.send(at('signout'), { form: { csrfToken, ...form }, says: 'signs out' })
    },
  }
  return browser
}

async function signInBy(
  browser: Browser,
  provider: Exclude<ProviderName, 'passkey'>,
  as: Person,
): Promise<Reply> {
  if (provider === 'form') return browser.enterPassword(as)
  if (provider === 'mail') return browser.followLink(await browser.requestLink(as.address.mail))
  return browser.arrive(await browser.visit(provider, as))
}

function openJar(): CookieJar {
  return new CookieJar(undefined, { prefixSecurity: 'strict', looseMode: true })
}
