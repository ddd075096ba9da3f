import type { AuthBase } from '../../../src/index.ts'
import { answer } from './small-site.ts'

/** Responds to a request as a server with a bug does. */
export type Leak = (auth: AuthBase, request: Request) => Promise<Response>

/** Servers that give something of one request to another, and the fault by which the visitors notice it. */
export const leaks: Readonly<Record<string, { readonly open: () => Leak; readonly fault: RegExp }>> = {
  'keeps the cookies of earlier responses': {
    open: () => {
      const kept: string[] = []
      return changed(({ headers }) => {
        const cookies = headers.getSetCookie()
        for (const cookie of kept) headers.append('Set-Cookie', cookie)
        kept.push(...cookies)
      })
    },
    fault: /repeats|twice/,
  },
  'caches a page that names its first reader': {
    open: () => cacheBy(({ pathname }) => (pathname === '/' ? pathname : undefined)),
    fault: /GET \/\?from=… repeats mark-/,
  },
  'caches pages for everybody who is signed in': {
    open: () =>
      cacheBy(({ pathname }, { headers }) =>
        pathname === '/' && headers.get('cookie')?.includes('session-token') ? pathname : undefined,
      ),
    fault: /GET \/\?from=… repeats mark-/,
  },
  'shares one body between all sessions': {
    open: () => {
      const shared: { user?: unknown } = {}
      return async (auth, request) => {
        const response = await answer(auth, request)
        if (!new URL(request.url).pathname.endsWith('/session')) return response
        Object.assign(shared, await response.json())
        return new Response(JSON.stringify(shared), response)
      }
    },
    fault: /GET \/session (repeats mark-|shows a session other than null)/,
  },
  'mixes up requests that run at the same time': {
    open: () => {
      let current: Request | undefined
      return async (auth, request) => {
        if (request.method !== 'GET') return answer(auth, request)
        current = request
        await new Promise((resolve) => setTimeout(resolve, 2))
        return answer(auth, current)
      }
    },
    fault: /repeats|does not have/,
  },
  'adds a header in each response': {
    open: () => {
      const kept = new Headers()
      return changed(({ headers }) => {
        kept.append('Vary', 'Cookie')
        for (const [name, value] of kept) headers.set(name, value)
      })
    },
    fault: /has a header that .* does not have: vary: Cookie, Cookie/,
  },
  'sets a cookie twice': {
    open: () =>
      changed(({ headers }) => {
        for (const cookie of headers.getSetCookie()) headers.append('Set-Cookie', cookie)
      }),
    fault: /sets authjs\.[\w-]+ twice/,
  },
  'greets a user who has signed out': {
    open: () => {
      const greetings = new Map<string | null, string>()
      return async (auth, request) => {
        const response = await answer(auth, request)
        if (new URL(request.url).pathname !== '/') return response
        const text = await response.text()
        const browser = request.headers.get('user-agent')
        if (!text.includes('nobody')) greetings.set(browser, text)
        return new Response(greetings.get(browser) ?? text, response)
      }
    },
    fault: /GET \/\?from=… repeats mark-/,
  },
  'has a Headers object for each status': {
    open: () => {
      const kept = new Map<number, Headers>()
      return async (auth, request) => {
        const { status, headers, body } = await answer(auth, request)
        const shared = kept.get(status) ?? new Headers()
        kept.set(status, shared)
        // Only a Response that keeps the object it is given leaks.
        const response = new Response(body, { status, headers: shared })
        for (const [name, value] of headers) response.headers.append(name, value)
        return response
      }
    },
    fault: /repeats|twice/,
  },
}

function changed(change: (response: Response) => void): Leak {
  return async (auth, request) => {
    const { body, ...response } = await answerCopy(auth, request)
    const copy = new Response(body, response)
    change(copy)
    return copy
  }
}

async function answerCopy(auth: AuthBase, request: Request) {
  const { status, headers, body } = await answer(auth, request)
  return { status, headers: new Headers(headers), body }
}

/** Caches the first response to each key. */
function cacheBy(keyOf: (url: URL, request: Request) => string | undefined): Leak {
  const cache = new Map<
    string,
    { readonly status: number; readonly headers: Headers; readonly text: string }
  >()
  return async (auth, request) => {
    const key = keyOf(new URL(request.url), request)
    if (key === undefined) return answer(auth, request)
    const found = cache.get(key)
    if (found) return new Response(found.text, found)
    const response = await answer(auth, request)
    const { status } = response
    const headers = new Headers(response.headers)
    headers.delete('Set-Cookie')
    const text = await response.text()
    if (!text.includes('nobody')) cache.set(key, { status, headers, text })
    return new Response(text, response)
  }
}
