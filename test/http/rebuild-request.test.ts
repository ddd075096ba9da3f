import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { parseVisit } from '../../src/http/parse-visit.ts'
import { rebuildRequest, withRequest } from '../../src/http/rebuild-request.ts'
import type { Visit } from '../../src/http/visit.ts'
import { httpSettings } from './settings.ts'

const members = { email: 'ada@example.com', password: 'a pässword' }

async function visit(url = 'https://app.test/auth/callback/credentials', body = true): Promise<Visit> {
  const init = body ? { method: 'POST', body: new URLSearchParams(members) } : {}
  const parsed = await parseVisit(new Request(url, init), httpSettings())
  if ('refused' in parsed) throw new Error(parsed.message)
  return parsed
}

/** Starts a server that returns the bodies it receives, with a redirect to itself before it if the status is 307. */
async function openEcho(status: number): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    if (status === 307 && incoming.url !== '/') return outgoing.writeHead(307, { location: '/' }).end()
    outgoing.writeHead(status === 307 ? 200 : status)
    return incoming.pipe(outgoing)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/auth/callback/credentials`
}

describe('the body of a request', () => {
  it('is parsed without a change to the bytes that the server holds', async () => {
    const chunk = Buffer.from('email=ada%2B1%40example.com&name=Ada+Lovelace')
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(chunk)
        controller.close()
      },
    })
    const init = {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      duplex: 'half',
    } as unknown as RequestInit
    const request = new Request('https://app.test/auth/signin/mail', init)
    const parsed = await parseVisit(request, httpSettings())
    expect('body' in parsed && parsed.body).toEqual({ email: 'ada+1@example.com', name: 'Ada Lovelace' })
    expect(chunk.toString()).toBe('email=ada%2B1%40example.com&name=Ada+Lovelace')
  })
})

describe('the Request for the application’s code', () => {
  it('WIR-047 contains the members of the body as JSON, which can be read in every way', async () => {
    const request = rebuildRequest(await visit())
    const copy = request.clone()
    expect(request.method).toBe('POST')
    expect(request.bodyUsed).toBe(false)
    expect(await request.json()).toEqual(members)
    expect(request.bodyUsed).toBe(true)
    expect(JSON.parse(await copy.text())).toEqual(members)
  })

  it.each([200, 307, 401])(
    'WIR-047 can be sent on, also to a server that responds with %i',
    async (status) => {
      const answer = await fetch(rebuildRequest(await visit(await openEcho(status))))
      expect([answer.status, await answer.json()]).toEqual([status === 307 ? 200 : status, members])
    },
  )

  it('has no body for a GET', async () => {
    const request = rebuildRequest(await visit('https://app.test/auth/session', false))
    expect([request.method, request.body]).toEqual(['GET', null])
  })

  it('is created once, and only if it is read', async () => {
    const create = vi.spyOn(globalThis, 'Request')
    onTestFinished(() => create.mockRestore())
    const asked = await visit()
    create.mockClear()
    const params = withRequest({ identifier: members.email }, asked)
    expect(create).not.toHaveBeenCalled()
    expect(Object.keys(params)).toEqual(['identifier', 'request'])
    expect({ ...params }.request).toBe(params.request)
    expect(create).toHaveBeenCalledOnce()
    const other = new Request('https://other.test')
    params.request = other
    expect(params.request).toBe(other)
  })
})
