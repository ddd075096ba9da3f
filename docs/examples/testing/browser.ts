import { CookieJar } from 'tough-cookie'

/** A browser without pages: it keeps cookies, sends forms, and follows no redirects. */
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

/** Sends the form of the sign-in page, and answers where it leads. */
export async function startSignIn(
  visit: ReturnType<typeof openBrowser>,
  provider: string,
  fields: Record<string, string> = {},
): Promise<string> {
  const { csrfToken } = (await (await visit('/auth/csrf')).json()) as { csrfToken: string }
  const started = await visit(`/auth/signin/${provider}`, { csrfToken, ...fields })
  return started.headers.get('location') ?? ''
}
