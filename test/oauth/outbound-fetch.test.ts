import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isSecureUrl, OutboundError, outboundFetch, sizeLimit } from '../../src/oauth/outbound-fetch.ts'
import { spread } from '../support/spread.ts'
import { keepHeaders } from '../support/visitors/keep-headers.ts'
import { createPlatform } from './stage.ts'

const endpoint = 'https://idp.example/token?secret=canary'
const plain = { preset: {}, timeout: 10_000, allowInsecureRequests: false } as const

function open(send: typeof fetch, provider: Partial<Parameters<typeof outboundFetch>[0]> = {}) {
  const platform = createPlatform(send)
  return { platform, send: outboundFetch({ ...plain, ...provider }, { platform, version: '1.2.3' }) }
}

/** A body of chunks of one size, which counts the chunks that are read. */
function bodyOf(
  chunks: number,
  size: number,
): { readonly stream: ReadableStream; readonly read: () => number } {
  let sent = 0
  const stream = new ReadableStream({
    pull(controller) {
      if (sent++ < chunks) controller.enqueue(new Uint8Array(size))
      else controller.close()
    },
  })
  return { stream, read: () => sent }
}

async function failure(promise: Promise<unknown>): Promise<OutboundError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof OutboundError)) throw new Error(`Expected an OutboundError, got ${String(error)}`)
  return error
}

describe('a request to a provider', () => {
  it('CC-12 does not change the headers of the application if a Response keeps them', async () => {
    const restore = keepHeaders()
    onTestFinished(restore)
    const kept = new Headers({ 'content-type': 'application/json' })
    const answer: typeof fetch = async () => new Response('{}', { headers: kept })
    const mark =
      (inner: typeof fetch): typeof fetch =>
      async (...given) => {
        const response = await inner(...given)
        response.headers.set('x-visitor', 'Ada')
        return response
      }
    const { send } = open(answer, { fetch: answer, preset: { fetch: mark } })
    expect((await send(endpoint)).headers.get('x-visitor')).toBe('Ada')
    expect([...kept]).toEqual([['content-type', 'application/json']])
  })

  it('DEC-03d names this library, and accepts JSON unless another type is set', async () => {
    const seen: RequestInit[] = []
    const watch: typeof fetch = (_, init) => {
      seen.push(init ?? {})
      return Promise.resolve(new Response('{}'))
    }
    for (const { send } of [open(watch, { fetch: watch }), open(watch)]) {
      await send(endpoint)
      await send(endpoint, { method: 'POST', headers: { accept: 'application/vnd.x+json', 'x-own': '1' } })
      await send(new Request(endpoint, { headers: { 'x-own': '2' } }))
    }
    const agent = { 'user-agent': 'authmachine/1.2.3' }
    const expected = [
      { accept: 'application/json', ...agent },
      { accept: 'application/vnd.x+json', ...agent, 'x-own': '1' },
      { accept: 'application/json', ...agent, 'x-own': '2' },
    ]
    // Objects, as oauth4webapi passes them, because an application's own fetch may read their members.
    expect(seen.map(({ headers }) => headers)).toEqual([...expected, ...expected])
    expect(seen.map(({ method }) => method)).toEqual([
      undefined,
      'POST',
      undefined,
      undefined,
      'POST',
      undefined,
    ])
  })

  it('DEC-11b OI-16 does not follow redirects, and returns opaque ones as redirects', async () => {
    const seen: (RequestInit | undefined)[] = []
    const hidden = Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' })
    const { send } = open((_, init) => {
      seen.push(init)
      return Promise.resolve(hidden)
    })
    expect((await send(endpoint, { redirect: 'follow' })).status).toBe(302)
    expect(seen[0]?.redirect).toBe('manual')
  })

  it('DEC-10c goes through the preset’s hook first, and through the custom fetch last', async () => {
    const order: string[] = []
    const custom: typeof fetch = (_, init) => {
      order.push(`custom ${new Headers(init?.headers).get('x-hook')}`)
      return Promise.resolve(new Response('{}'))
    }
    const hook =
      (inner: typeof fetch): typeof fetch =>
      (input) => {
        order.push('hook')
        return inner(input, { headers: { 'x-hook': 'was here' } })
      }
    const { send } = open(() => Promise.reject(new Error('platform')), {
      fetch: custom,
      preset: { fetch: hook },
    })
    await send(endpoint)
    expect(order).toEqual(['hook', 'custom was here'])
  })

  it('DEC-10c passes status, headers and body on', async () => {
    const { send } = open(() =>
      Promise.resolve(new Response('täst', { status: 201, headers: { 'x-a': 'b' } })),
    )
    const response = await send(new Request(endpoint))
    expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([201, 'b', 'täst'])
  })

  it('FI-05 reports a network error as its cause', async () => {
    const cause = new TypeError('fetch failed')
    const { send, platform } = open(() => Promise.reject(cause))
    const error = await failure(send(endpoint))
    expect(error).toMatchObject({ reason: 'unreachable', cause })
    expect(error.message).not.toContain('canary')
    expect(platform.timers()).toEqual([])
  })
})

describe('the deadline', () => {
  it('DEC-11c FI-05 times out a request, even if the fetch ignores the signal', async () => {
    let signal: AbortSignal | null | undefined
    const { send, platform } = open((_, init) => {
      signal = init?.signal
      return new Promise(() => undefined)
    })
    const pending = failure(send(endpoint))
    expect(platform.timers()).toEqual([10_000])
    platform.advance(9_999)
    expect(signal?.aborted).toBe(false)
    platform.advance(1)
    const error = await pending
    expect(error.reason).toBe('timed-out')
    expect(error.message).toContain('https://idp.example/token did not respond within 10000 ms')
    expect(signal?.aborted).toBe(true)
    expect(platform.timers()).toEqual([])
  })

  it('DEC-11c FI-05 covers the body, whose stream is cancelled', async () => {
    let cancelled = false
    const drip = new ReadableStream({
      start: (stream) => stream.enqueue(new Uint8Array(1)),
      cancel: () => void (cancelled = true),
    })
    const { send, platform } = open(() => Promise.resolve(new Response(drip)), { timeout: 200 })
    const pending = failure(send(endpoint))
    await new Promise((resolve) => setTimeout(resolve, 5))
    platform.advance(200)
    expect((await pending).reason).toBe('timed-out')
    expect(cancelled).toBe(true)
  })

  it('DEC-11c clears the timer of a completed request', async () => {
    const { send, platform } = open(() => Promise.resolve(new Response('{}')))
    await send(endpoint)
    await Promise.resolve()
    expect(platform.timers()).toEqual([])
  })

  it('FI-05 also respects the signal of the caller', async () => {
    const controller = new AbortController()
    const { send } = open((_, init) => {
      const { signal } = init ?? {}
      return new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(new Error('aborted'))),
      )
    })
    const pending = failure(send(endpoint, { signal: controller.signal }))
    controller.abort()
    expect((await pending).reason).toBe('unreachable')
  })
})

describe('the size limit', () => {
  it('DEC-11d FI-06 applies to the bytes read, in chunks of any size', async () => {
    const cases = spread('bodies around the size limit')
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 256 }).map((kib) => kib * 1024),
        fc.integer({ min: -2, max: 2 }),
        async (size, offset) => {
          const count = Math.max(1, Math.ceil(sizeLimit / size) + offset)
          const body = bodyOf(count, size)
          const { send } = open(() => Promise.resolve(new Response(body.stream)))
          const isLarge = count * size > sizeLimit
          cases.count(isLarge ? 'over' : 'within')
          if (!isLarge) {
            expect((await (await send(endpoint)).arrayBuffer()).byteLength).toBe(count * size)
            return
          }
          expect((await failure(send(endpoint))).reason).toBe('oversize')
          // One chunk may be waiting in the stream.
          expect(body.read() * size).toBeLessThanOrEqual(sizeLimit + 2 * size)
        },
      ),
      { numRuns: 60 },
    )
    cases.report()
    cases.atLeast('over', 10)
    cases.atLeast('within', 10)
  })

  it('DEC-11d FI-06 stops reading an endless body', async () => {
    const body = bodyOf(512, 64 * 1024)
    const { send, platform } = open(() => Promise.resolve(new Response(body.stream)))
    expect((await failure(send(endpoint))).reason).toBe('oversize')
    expect(body.read()).toBeLessThan(20)
    expect(platform.timers()).toEqual([])
  })
})

describe('the limits of JSON', () => {
  it('LM-11 LM-10 FI-06 are checked before parsing', async () => {
    const answer = async (text: string) => open(() => Promise.resolve(new Response(text))).send(endpoint)
    const nest = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
    expect(await (await answer(` {"a":${nest(63)}}`)).json()).toBeTypeOf('object')
    for (const text of [nest(65), ` \n{"a":${nest(64)}}`, nest(10_000), `\uFEFF {"a":${nest(64)}}`]) {
      const { reason, message } = await failure(answer(text))
      expect([reason, message]).toEqual([
        'oversize',
        expect.stringMatching(/^Got more than 64 levels of JSON from https:.*\/token$/),
      ])
    }
    const members = (count: number) => `{${Array.from({ length: count }, (_, n) => `"${n}":0`).join()}}`
    expect(await (await answer(members(2000))).json()).toBeTypeOf('object')
    expect((await failure(answer(members(2001)))).message).toMatch('more than 2000 members')
    expect((await failure(answer(`[${'0,'.repeat(20_001)}0]`))).message).toMatch('more than 20000 values')
    // Text that is not JSON may contain brackets as well.
    const page = `<p>${nest(100)}</p>`
    expect(await (await answer(page)).text()).toBe(page)
  })

  it('LM-11 stop reading a response in thousands of chunks', async () => {
    const body = bodyOf(20_000, 1)
    const { send } = open(() => Promise.resolve(new Response(body.stream)))
    expect((await failure(send(endpoint))).reason).toBe('oversize')
    expect(body.read()).toBeLessThan(4200)
  })
})

describe('the scheme', () => {
  const loopback = ['localhost', 'idp.localhost', '127.0.0.1', '127.1', '127.8.8.8', '[::1]', 'LOCALHOST']
  const others = [
    'idp.example',
    'localhost.example',
    'notlocalhost',
    '127.0.0.1.example',
    '128.0.0.1',
    '10.0.0.1',
    '[::2]',
    '0.0.0.0',
  ]

  it('DEC-11a OI-16 may be plain http only on loopback hosts', () => {
    const accepted = (host: string) => isSecureUrl(new URL(`http://${host}/token`), false)
    expect(loopback.filter((host) => !accepted(host))).toEqual([])
    expect(others.filter((host) => accepted(host))).toEqual([])
    expect(others.every((host) => isSecureUrl(new URL(`https://${host}/token`), false))).toBe(true)
  })

  it('DEC-11a may be plain http anywhere with allowInsecureRequests, but nothing else', () => {
    expect(others.every((host) => isSecureUrl(new URL(`http://${host}/token`), true))).toBe(true)
    expect(isSecureUrl(new URL('ftp://localhost/token'), true)).toBe(false)
    expect(isSecureUrl(new URL('data:application/json,{}'), true)).toBe(false)
  })

  it('OI-16 prevents a plain http request', async () => {
    let isSent = false
    const { send, platform } = open(() => {
      isSent = true
      return Promise.resolve(new Response('{}'))
    })
    expect((await failure(send('http://idp.example/token?secret=canary'))).reason).toBe('insecure-url')
    expect(isSent).toBe(false)
    expect(platform.timers()).toEqual([])
  })
})
