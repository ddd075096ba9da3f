import type { AuthInstance } from '../../../src/create-auth.ts'
import type { Session } from '../../../src/types.ts'
import { html, type Html } from './html.ts'
import { assets, createPage } from './page.ts'

type SitePage =
  | { readonly title: string; readonly kind: 'open'; readonly show: (session: Session | null) => Html }
  | { readonly title: string; readonly kind: 'guarded'; readonly show: (session: Session) => Html }

const pages: ReadonlyMap<string, SitePage> = new Map([
  ['/', { title: 'Home', kind: 'open', show: createHome }],
  ['/protected', { title: 'Protected', kind: 'guarded', show: createProtected }],
  ['/profile', { title: 'Profile', kind: 'guarded', show: createProfile }],
])

/** The site: a handful of pages, and the library's routes under the base path. */
export function createSite(auth: AuthInstance, basePath: string): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === basePath || pathname.startsWith(`${basePath}/`)) return auth.handler(request)
    const asset = assets.get(pathname)
    if (asset) return asset.clone()
    return showPage(request, pathname, auth, basePath)
  }
}

async function showPage(
  request: Request,
  path: string,
  auth: AuthInstance,
  basePath: string,
): Promise<Response> {
  // A session that is read may have been extended: its cookies go along with whatever is answered.
  const { session, cookies } = await auth.getSessionWithCookies(request)
  const response = answer(path, session, basePath)
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

function answer(path: string, session: Session | null, basePath: string): Response {
  const signIn = `${basePath}/signin?${new URLSearchParams({ callbackUrl: path })}`
  const page = pages.get(path)
  const frame = (title: string, body: Html, status?: number) =>
    createPage({
      title: `${title} · authmachine demo`,
      status,
      at: 'site',
      body: html`${createBar(path, session, { signIn, signOut: `${basePath}/signout` })}
        <main>${body}</main>`,
    })
  if (!page) return frame('Not found', missing, 404)
  if (page.kind === 'open') return frame(page.title, page.show(session))
  if (session) return frame(page.title, page.show(session))
  const headers = { Location: `${signIn}&error=SessionRequired`, 'Cache-Control': 'private, no-store' }
  return new Response(null, { status: 302, headers })
}

function createBar(path: string, session: Session | null, links: { signIn: string; signOut: string }): Html {
  return html`<header class="bar">
    <a class="brand" href="/"><img src="/icon.svg" alt="" width="32" height="32" />authmachine demo</a>
    <nav aria-label="Pages">
      ${[...pages].map(
        ([to, { title }]) => html`<a href="${to}" ${to === path && html`aria-current="page"`}>${title}</a> `,
      )}
    </nav>
    ${
      session
        ? html`<a class="button plain" href="${links.signOut}">Sign out</a>`
        : html`<a class="button" href="${links.signIn}">Sign in</a>`
    }
  </header>`
}

function createHome(session: Session | null): Html {
  return html`<h1>
      ${session ? `Welcome, ${session.user?.name ?? 'you'}.` : 'Sign in, without an account.'}
    </h1>
    <p class="lead">
      A small site with a real OpenID provider beside it, both on this machine. Every sign-in runs a
      statechart, and
      <code>npm start -- --verbose</code> prints the path that it took.
    </p>
    <ul class="cards">
      <li>
        <h2><a href="/">Home</a></h2>
        <p>Open to everybody, and knows who reads it.</p>
      </li>
      <li>
        <h2><a href="/protected">Protected</a></h2>
        <p>Leads to the sign-in page first, and comes back.</p>
      </li>
      <li>
        <h2><a href="/profile">Profile</a></h2>
        <p>Shows the session as the site sees it.</p>
      </li>
    </ul>`
}

function createProtected(session: Session): Html {
  return html`<h1>Only for those who signed in</h1>
    <p class="lead">
      You did, ${session.user?.name ?? 'whoever you are'}. Signed out, this page is out of reach again.
    </p>`
}

function createProfile(session: Session): Html {
  const { name, email, image } = session.user ?? {}
  return html`<h1>Profile</h1>
    <div class="identity">
      ${image ? html`<img src="${image}" alt="" width="64" height="64" />` : undefined}
      <p>
        <strong>${name ?? 'No name'}</strong><br />
        <span class="quiet">${email ?? 'no e-mail address'}</span>
      </p>
    </div>
    <h2>The session</h2>
    <pre class="panel" id="session" tabindex="0" aria-label="The session as JSON">
${JSON.stringify(session, null, 2)}</pre>`
}

const missing = html`<h1>There is nothing here</h1>
  <p><a href="/">Go to the first page</a></p>`
