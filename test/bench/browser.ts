import * as app from './application.ts'

export type Handle = (request: Request) => Response | Promise<Response>

/** Posts a form with these cookies and those of a returning browser. */
export function post(path: string, fields: Readonly<Record<string, string>>, cookies = ''): Request {
  const body = new URLSearchParams({ ...fields, csrfToken: app.csrf.token, callbackUrl: app.origin })
  const cookie = cookies === '' ? app.heldCookies : `${app.heldCookies}; ${cookies}`
  const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
  return new Request(`${app.origin}${app.basePath}/${path}`, {
    method: 'POST',
    headers,
    body: body.toString(),
  })
}

export function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.slice(0, line.indexOf(';')))
    .join('; ')
}

/** Returns the address to which the identity provider redirects the browser. */
export function answerUrl(location: string | null): string {
  const { searchParams } = new URL(location ?? '')
  const answer = new URLSearchParams({ code: 'a code', state: searchParams.get('state') ?? '' })
  return `${searchParams.get('redirect_uri')}?${answer}`
}

/** Sends both requests of a sign-in, as a browser does. */
export async function signInByOAuth(handle: Handle): Promise<Response> {
  const sent = await handle(post(`signin/${app.provider.id}`, {}))
  const cookie = `${app.heldCookies}; ${cookiesOf(sent)}`
  return handle(new Request(answerUrl(sent.headers.get('location')), { headers: { cookie } }))
}
