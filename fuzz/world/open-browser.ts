import { CookieJar } from 'tough-cookie'
import { Unreached } from './breach.ts'
import type { Around, Browser } from './browser.ts'
import { readForms } from './forms.ts'
import { originOf } from './origin-of.ts'
import type { Person, ProviderName } from './people.ts'
import type { Reply } from './reply.ts'
import { openWireRoutes } from './wire-routes.ts'

export function openBrowser(name: string, around: Around): Browser {
  const { origin, basePath } = around
  let jar = openJar()
  const held = () => jar.getCookiesSync(origin)
  const routes = around.routes ?? openWireRoutes(around)

  const browser: Browser = {
    name,
    async send(path, sending = {}) {
      // A path of a link may begin with `//`, which alone would name another host.
      const url = new URL(path.startsWith('/') ? `${origin}${path}` : path, origin)
      const { crossSite, form, json, headers } = sending
      const sent = jar
        .getCookiesSync(url.href)
        .filter(
          ({ sameSite = crossSite === 'old rules' ? 'none' : 'lax' }) => !crossSite || sameSite === 'none',
        )
      const body = form
        ? new URLSearchParams(form).toString()
        : json === undefined
          ? null
          : JSON.stringify(json)
      const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
      const method = sending.method ?? (body === null ? 'GET' : 'POST')
      const all = Object.entries({
        ...(body !== null && { 'content-type': type }),
        ...(sent.length > 0 && { cookie: sent.map((cookie) => cookie.cookieString()).join('; ') }),
        ...originOf(method, origin, Boolean(crossSite)),
        ...headers,
      }).filter((header): header is [string, string] => header[1] !== undefined)
      const request = new Request(url, { method, headers: all, body, redirect: 'manual' })
      const reply = await around.deliver(browser, request, sending)
      for (const line of reply.headers.getSetCookie())
        jar.setCookieSync(line, url.href, { ignoreError: true })
      return around.staysAtGates ? reply : passGate(browser, reply, around)
    },
    cookies: () => Object.fromEntries(held().map(({ key, value }) => [key, value])),
    setCookie: (line) => void jar.setCookieSync(line, origin, { ignoreError: true }),
    dropCookie: (cookie) => jar.setCookieSync(`${cookie}=; Max-Age=0; Path=/; Secure`, origin),
    save() {
      const saved = jar.serializeSync()
      if (!saved) throw new Error('The store of the cookie jar is not synchronous')
      return saved
    },
    restore(saved) {
      jar = CookieJar.deserializeSync(saved)
      around.note?.(`${name}'s browser uses copied cookies from now on`)
    },

    csrfToken: () => routes.csrfToken(browser),
    async start(provider, form = {}) {
      around.idOf(provider)
      around.attempt?.(provider)
      return routes.start(browser, provider, form)
    },
    async visit(provider, as, form) {
      const { location, status } = await browser.start(provider, form)
      if (!location || location.origin === origin)
        throw new Unreached(
          `the sign-in at ${provider} did not redirect to a provider, but returned ${location?.pathname ?? status}`,
        )
      return around.consent(browser, provider, as, location)
    },
    arrive(arrival) {
      around.attempt?.(arrival.provider)
      return routes.arrive(browser, arrival)
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
      const { searchParams, pathname } = mail.link
      const token = searchParams.get('token') ?? pathname.slice(pathname.lastIndexOf('/') + 1)
      const form = readForms(reply.text).find(
        ({ method, fields }) => method === 'post' && Object.values(fields).includes(token),
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
      return browser.send(`${basePath}/callback/${around.idOf('form')}`, {
        form: { csrfToken, username, password },
        says: `enters a password for ${username}`,
      })
    },
    async signIn(provider, as) {
      const reply = await signInBy(browser, provider, as)
      const me = await browser.whoAmI()
      if (me !== as.name) {
        const why = reply.location?.search || reply.status
        const refusal = around.refusal?.(provider)
        const because = refusal === undefined ? '' : `; ${provider} refused a request: ${refusal}`
        throw new Unreached(
          `${as.name} could not sign in at ${provider}: ${me ?? 'no session'} (${why})${because}`,
        )
      }
      return reply
    },
    async resume() {
      let last: Reply | undefined
      for (const gate of Object.keys(around.gates ?? {}))
        last = (await answerGate(browser, gate, around)) ?? last
      return last
    },
    readSession: () => routes.readSession(browser),
    whoAmI: async () => around.whoIs((await browser.readSession()).json),
    signOut: (form = {}) => routes.signOut(browser, form),
  }
  return browser
}

/** Answers the page of a gate to which a sign-in is redirected. If there are several, the answer leads to the next. */
async function passGate(browser: Browser, reply: Reply, around: Around): Promise<Reply> {
  const { gates = {}, basePath } = around
  const { pathname = '' } = reply.location ?? {}
  // The application may have another origin in public.
  const gate = pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length + 1) : ''
  return Object.hasOwn(gates, gate) ? ((await answerGate(browser, gate, around)) ?? reply) : reply
}

/** Answers the page of a gate. Returns nothing if the gate holds no sign-in of this browser. */
async function answerGate(
  browser: Browser,
  gate: string,
  { gates, basePath }: Around,
): Promise<Reply | undefined> {
  const path = `${basePath}/${gate}`
  const { status, text } = await browser.send(path, { says: `opens the page ${gate}` })
  if (status !== 200) return undefined
  const form = { csrfToken: await browser.csrfToken(), ...(await gates?.[gate]?.(text)) }
  return browser.send(path, { form, says: `answers the page ${gate}` })
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
