import { auth } from './auth.ts'

const messages: Readonly<Record<string, string>> = {
  AccessDenied: 'You do not have access to this site.',
  OAuthAccountNotLinked: 'Sign in the way you did the first time.',
  SessionRequired: 'Please sign in to see this page.',
}

/** Shows the sign-in page at /login. */
export async function showLogin(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const error = searchParams.get('error')
  const cookie = request.headers.get('cookie') ?? ''
  const answer = await auth.handler(new Request(new URL('/auth/csrf', request.url), { headers: { cookie } }))
  const { csrfToken } = (await answer.json()) as { csrfToken: string }
  const page = `<!doctype html>
    <html lang="en">
      <title>Sign in</title>
      <h1>Sign in</h1>
      ${error === null ? '' : `<p role="alert">${messages[error] ?? 'Sign-in failed. Try again.'}</p>`}
      <form method="post" action="/auth/signin/github">
        <input type="hidden" name="csrfToken" value="${csrfToken}" />
        <input type="hidden" name="callbackUrl" value="${escape(searchParams.get('callbackUrl') ?? '/')}" />
        <button>Sign in with GitHub</button>
      </form>
    </html>`
  const headers = new Headers({ 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' })
  // The cookie that belongs to the token.
  for (const each of answer.headers.getSetCookie()) headers.append('Set-Cookie', each)
  return new Response(page, { headers })
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
