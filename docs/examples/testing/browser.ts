import { CookieJar } from 'tough-cookie'

/** A minimal browser: it keeps cookies, submits forms, and does not follow redirects. */
export function openBrowser(site: (request: Request) => Promise<Response>) {
  const jar = new CookieJar()
  return async (path: string, form?: Record<string, string>): Promise<Response> => {
    const url = new URL(path, 'http://localhost').href
    const headers = { cookie: jar.getCookieStringSync(url) }
    const body = form && { method: 'POST', body: new URLSearchParams(form) }
    const response = await site(new Request(url, { headers, ...body }))
    for (const cookie of response.headers.getSetCookie()) jar.setCookieSync(cookie, url)
    return response
  }
}

/** Submits the form of the sign-in page and returns the redirect target. */
export async function startSignIn(
  visit: ReturnType<typeof openBrowser>,
  provider: string,
  fields: Record<string, string> = {},
): Promise<string> {
  const { csrfToken } = (await (await visit('/auth/csrf')).json()) as { csrfToken: string }
  const started = await visit(`/auth/signin/${provider}`, { csrfToken, ...fields })
  return started.headers.get('location') ?? ''
}
