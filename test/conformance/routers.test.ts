import { describe, expect, it } from 'vitest'
import { findProperty } from '../../fuzz/properties/index.ts'
import ours from '../../fuzz/targets/ours.ts'
import type { Handle, LibraryTarget } from '../../fuzz/targets/target.ts'
import { assess } from '../../fuzz/run/assess.ts'
import { judgeHere } from './support.ts'

type Router = (request: Request, handle: Handle) => Promise<Response>

/** This library behind a router that may respond itself. */
function putBehind(router: Router, capabilities: readonly string[] = []): LibraryTarget {
  return {
    name: 'behind a router',
    capabilities: [...ours.capabilities, ...capabilities],
    async open(config) {
      const handle = await ours.open(config)
      return (request) => router(request, handle)
    },
  }
}

const page = (text: string, status = 200) =>
  new Response(text, { status, headers: { 'content-type': 'text/html' } })

/** Returns a page of a single-page application where the library has no route. */
const withPages: Router = async (request, handle) => {
  const response = await handle(request)
  return response.status === 404 ? page(`<p>${new URL(request.url).pathname}</p>`) : response
}

/** Redirects to the path without doubled slashes. */
const redirectingSlashes =
  (status: number): Router =>
  async (request, handle) => {
    const url = new URL(request.url)
    const path = url.pathname.replaceAll(/\/{2,}/g, '/')
    if (path === url.pathname) return handle(request)
    return new Response(null, { status, headers: { location: path } })
  }

const mergingSlashes: Router = async (request, handle) => {
  const url = new URL(request.url)
  url.pathname = url.pathname.replaceAll(/\/{2,}/g, '/')
  return handle(new Request(url, request))
}

const ignoringCase: Router = async (request, handle) =>
  handle(
    new Request(
      request.url.replace(/[^?]+/, (path) => path.toLowerCase()),
      request,
    ),
  )

const withoutMethods: Router = async (request, handle) =>
  ['GET', 'POST'].includes(request.method) ? handle(request) : new Response(null, { status: 405 })

const judged = (name: string, router: Router, capabilities?: readonly string[]) =>
  judgeHere(findProperty(name), putBehind(router, capabilities))

/** Returns the requirement that it breaks. Nobody can sign in here, so a property that holds can be inconclusive. */
const breaks = async (...judging: Parameters<typeof judged>) => (await judged(...judging)).broken

describe.each(['matches only exact route paths', 'matches a route with a provider only by its own path'])(
  'HH-03 %s',
  (name) => {
    it('accepts the pages of the application, and a permanent redirect to the exact path', async () => {
      expect(await breaks(name, withPages)).toBeUndefined()
      expect(await breaks(name, redirectingSlashes(308))).toBeUndefined()
    })

    it('finds a route with another spelling, and a redirect that a route could have sent', async () => {
      for (const router of [mergingSlashes, ignoringCase, redirectingSlashes(302)])
        expect(await breaks(name, router)).toBe('HH-03')
    })

    it('skips doubled slashes only, if the target declares that a router merges them', async () => {
      const judgement = await judged(name, mergingSlashes, ['merged-slashes'])
      expect(judgement.broken).toBeUndefined()
      expect(assess([judgement], ['HH-03'])[1]).toMatchObject({
        part: 'paths with two slashes in a row',
        verdict: 'SKIP',
        reason: 'a router in front of the target handles it (merged-slashes)',
      })
      expect(await breaks(name, ignoringCase, ['merged-slashes'])).toBe('HH-03')
    })
  },
)

it('HH-04 DEC-32d judges other methods unless the target declares that a router handles them', async () => {
  const names = {
    'HH-04': 'refuses unsupported methods with Allow, and changes nothing on HEAD',
    'DEC-32d': 'tells caches not to store redirects and errors',
  }
  for (const [id, name] of Object.entries(names)) {
    expect(await breaks(name, withoutMethods)).toBe(id)
    expect(await breaks(name, withoutMethods, ['routed-methods'])).toBeUndefined()
  }
})

it('DEC-32d judges no page that is neither a redirect nor a refusal', async () => {
  const stripping =
    (isStripped: (status: number) => boolean): Router =>
    async (request, handle) => {
      const response = await handle(request)
      if (isStripped(response.status)) response.headers.delete('cache-control')
      return response
    }
  const name = 'tells caches not to store redirects and errors'
  // A script gets a redirect as JSON with status 200, of which this library has none here.
  expect(
    await breaks(
      name,
      stripping((status) => status === 200),
    ),
  ).toBeUndefined()
  expect(
    await breaks(
      name,
      stripping((status) => status >= 300),
    ),
  ).toBe('DEC-32d')
})

it('CK-13 judges no page of the application', async () => {
  const name = 'protects its pages from framing, sniffing and referrer leaks'
  // An unknown provider gets a page of the library.
  const withOwnPages: Router = (request, handle) =>
    request.url.includes('/signin/') ? handle(request) : withPages(request, handle)
  expect(await breaks(name, withOwnPages)).toBeUndefined()
  const unprotected: Router = async (request, handle) => {
    const response = await handle(request)
    const isPage = response.status === 404 && request.url.includes('/auth/')
    return isPage ? page('<p>not found</p>', 404) : response
  }
  expect(await breaks(name, unprotected)).toBe('CK-13')
})
