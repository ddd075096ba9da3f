import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createRequestListener } from '@remix-run/node-fetch-server'
import { afterEach, describe, expect, it } from 'vitest'
import { createNodeAuth } from '../../src/node.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import { keepHeaders } from '../support/visitors/keep-headers.ts'
import { notice } from '../support/visitors/notice.ts'
import { answer, createSiteAuth, visit } from '../support/visitors/small-site.ts'

/** The site on node:http alone. */
function onNode(features?: AuthConfig['features']): RequestListener {
  const { handler, getSession, requireSession } = createNodeAuth(createSiteAuth(features))
  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<unknown> {
    const { pathname } = new URL(incoming.url ?? '/', 'http://localhost')
    if (pathname.startsWith('/auth/')) return handler(incoming, outgoing)
    if (pathname === '/members') {
      const session = await requireSession(incoming, outgoing)
      return session && outgoing.end(`Hello ${session.user.name}`)
    }
    if (pathname !== '/') return outgoing.writeHead(404).end()
    const session = await getSession(incoming, outgoing)
    return outgoing.end(`Hello ${session?.user?.name ?? 'nobody'}`)
  }
  return (incoming, outgoing) => void respond(incoming, outgoing)
}

/** The site with `Request` and `Response`. */
function onFetchServer(features?: AuthConfig['features']): RequestListener {
  const auth = createSiteAuth(features)
  return createRequestListener((request) => answer(auth, request))
}

describe.each([
  ['authmachine/node', onNode],
  ['@remix-run/node-fetch-server', onFetchServer],
])('a site on node:http with %s', (_, open) => {
  let restore = () => {}
  afterEach(() => restore())
  const seed = Date.now() % 1_000_000

  it('CC-12 gives nothing of one visitor to another', async () => {
    expect((await visit(open(), seed)).faults, `seed ${seed}`).toEqual([])
  })

  it('CC-12 FT-03 gives nothing of one visitor to another if a gate holds every sign-in', async () => {
    expect((await visit(open([notice]), seed, '/notice')).faults, `seed ${seed}`).toEqual([])
  })

  it('CC-12 gives nothing of one visitor to another if a Response keeps the Headers that it is given', async () => {
    restore = keepHeaders()
    expect((await visit(open(), seed)).faults, `seed ${seed}`).toEqual([])
  })
})
