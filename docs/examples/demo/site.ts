import type { AuthBase } from '../../../src/index.ts'
import type { Devtools } from '../../../src/devtools.ts'
import type { Session } from '../../../src/types.ts'
import { html, type Html } from './html.ts'
import { assets, createPage } from './page.ts'
import type { CodeEntry, SitePage } from './site-pages.ts'

export interface SiteOptions {
  readonly auth: AuthBase
  readonly basePath: string
  readonly origin: string
  readonly pages: ReadonlyMap<string, SitePage>
  /** Shows the runs of the flows; not in production. */
  readonly devtools?: Devtools | undefined
}

/** Creates the site: a few pages, the library's routes under the base path, and the live trace. */
export function createSite(site: SiteOptions): (request: Request) => Promise<Response> {
  const { auth, basePath, devtools } = site
  return async (request) => {
    const { pathname } = new URL(request.url)
    const isUnder = (path: string) => pathname === path || pathname.startsWith(`${path}/`)
    if (isUnder(basePath)) return auth.handler(request)
    if (devtools && isUnder(devtools.path)) return devtools.handle(request)
    const asset = assets.get(pathname)
    if (asset) return asset.clone()
    return showPage(request, site)
  }
}

async function showPage(request: Request, site: SiteOptions): Promise<Response> {
  // Reading a session may extend it, so every response sends its cookies.
  const { session, cookies: renewed } = await site.auth.getSessionWithCookies(request)
  const { entry, cookies: added } = await prepareCodeEntry(request, site)
  const response = respond(new URL(request.url), session, entry, site)
  const cookies = [...renewed, ...added]
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  if (cookies.length > 0) response.headers.set('Cache-Control', 'private, no-store')
  return response
}

/** When a code was requested, the library redirects to the inbox, which shows a form for the code. */
async function prepareCodeEntry(
  request: Request,
  { auth, basePath, origin }: SiteOptions,
): Promise<{ readonly entry?: CodeEntry; readonly cookies: readonly string[] }> {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname !== '/inbox' || searchParams.get('provider') !== 'code') return { cookies: [] }
  const headers = { cookie: request.headers.get('cookie') ?? '' }
  const response = await auth.handler(new Request(`${origin}${basePath}/csrf`, { headers }))
  const { csrfToken } = (await response.json()) as { readonly csrfToken: string }
  const entry = {
    action: `${basePath}/callback/code`,
    csrfToken,
    attempts: searchParams.get('attempts'),
  }
  return { entry, cookies: response.headers.getSetCookie() }
}

function respond(
  { pathname: path, origin: requested }: URL,
  session: Session | null,
  entry: CodeEntry | undefined,
  { basePath, origin, pages, devtools }: SiteOptions,
): Response {
  const signIn = `${basePath}/signin?${new URLSearchParams({ callbackUrl: path })}`
  const page = pages.get(path)
  const frame = (title: string, body: Html, status?: number) =>
    createPage({
      title: `${title} · authmachine demo`,
      status,
      at: 'site',
      body: html`${createBar(path, pages, session, { signIn, basePath, trace: devtools?.path })}
        <main>${body}</main>`,
    })
  if (!page || (page.kind === 'local' && requested !== origin)) return frame('Not found', missing, 404)
  if (page.kind === 'local') return frame(page.title, page.show(entry))
  if (page.kind === 'open') return frame(page.title, page.show(session))
  if (session) return frame(page.title, page.show(session))
  const headers = { Location: `${signIn}&error=SessionRequired`, 'Cache-Control': 'private, no-store' }
  return new Response(null, { status: 302, headers })
}

function createBar(
  path: string,
  pages: SiteOptions['pages'],
  session: Session | null,
  links: { signIn: string; basePath: string; trace?: string | undefined },
): Html {
  return html`<header class="bar">
    <a class="brand" href="/"><img src="/icon.svg" alt="" width="32" height="32" />authmachine demo</a>
    <nav aria-label="Pages">
      ${[...pages].map(
        ([to, { title }]) => html`<a href="${to}" ${to === path && html`aria-current="page"`}>${title}</a> `,
      )}
      ${session !== null && html`<a href="${links.basePath}/account">Account</a>`}
      ${links.trace !== undefined && html`<a href="${links.trace}">Live trace</a>`}
    </nav>
    ${
      session
        ? html`<a class="button plain" href="${links.basePath}/signout">Sign out</a>`
        : html`<a class="button" href="${links.signIn}">Sign in</a>`
    }
  </header>`
}

const missing = html`<h1>Page not found</h1>
  <p><a href="/">Go to the home page</a></p>`
