import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { stepDeadline, systemPlatform } from '../../src/platform/clock.ts'
import { maxCookies } from '../../src/cookies/parse-cookies.ts'
import { parseVisit } from '../../src/http/parse-visit.ts'
import {
  maxBody,
  maxCookieHeader,
  maxDiscarded,
  maxFields,
  maxJsonDepth,
  maxPieces,
  maxUrl,
} from '../../src/http/limits.ts'
import type { Refused, Visit } from '../../src/http/visit.ts'
import type { Platform } from '../../src/types/config.ts'
import { spread } from '../support/spread.ts'
import { httpSettings } from './settings.ts'

const settings = httpSettings()
const site = 'https://app.test'
const form = 'application/x-www-form-urlencoded'

const get = (path: string, headers: HeadersInit = {}) =>
  parseVisit(new Request(`${site}${path}`, { headers }), settings)
const post = (
  body: BodyInit,
  type: string | undefined,
  headers: Record<string, string> = {},
  platform = systemPlatform,
  path = 'signin/github',
) =>
  parseVisit(
    new Request(`${site}/auth/${path}`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': type ?? '', ...headers },
      duplex: 'half',
    } as RequestInit),
    httpSettings({ platform }),
  )

/** A body that counts how many of its bytes were read. It has no end, unless it has a number of pieces. */
function endless(size = 1024, pieces = Infinity) {
  const sent = { bytes: 0, cancelled: false }
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent.bytes >= size * pieces) return controller.close()
        sent.bytes += size
        controller.enqueue(new Uint8Array(size).fill(0x61))
      },
      cancel() {
        sent.cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { sent, body }
}

function visited(answer: Visit | Refused | Promise<Visit | Refused>): Visit {
  if (answer instanceof Promise || 'refused' in answer) throw new Error('not a visit')
  return answer
}
const read = async (body: BodyInit, type: string) => visited(await post(body, type))

describe('a visit', () => {
  it('HH-01 is parsed synchronously for GET, and ignores forwarded headers', () => {
    const visit = visited(
      get('/auth/session?a=1&a=2', {
        'X-Forwarded-Host': 'evil.test',
        'X-Forwarded-Proto': 'http',
        Forwarded: 'host=evil.test;proto=http',
        Host: 'evil.test',
        Cookie: 'x=1',
      }),
    )
    expect(visit).toMatchObject({
      method: 'GET',
      action: 'session',
      origin: site,
      base: `${site}/auth`,
      returnsRedirect: false,
    })
    expect(visit.query.getAll('a')).toEqual(['1', '2'])
    expect(visit.cookies.get('x')).toBe('1')
  })

  it('HH-01 CK-15 CFG-041 CFG-042 prefers the canonical origin to that of the request, and chooses the cookies by it', () => {
    const request = new Request('http://internal:8080/auth/session')
    const at = (given: Parameters<typeof httpSettings>[0]) =>
      visited(parseVisit(request, httpSettings(given)))
    const canonical = at({ canonicalOrigin: site })
    expect(canonical).toMatchObject({ origin: site, base: `${site}/auth` })
    expect(canonical.cookieTable.sessionToken.options.secure).toBe(true)
    expect(at({}).origin).toBe('http://internal:8080')
    expect(at({}).cookieTable.sessionToken.options.secure).toBe(false)
    expect(at({ useSecureCookies: true }).cookieTable.sessionToken.options.secure).toBe(true)
    expect(
      at({ useSecureCookies: false, canonicalOrigin: site }).cookieTable.sessionToken.options.secure,
    ).toBe(false)
  })

  it.each(['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'])(
    'HH-04 DEC-31a %s gets 405, and nothing else of it is read but its body',
    (method) => {
      const request = new Request(`${site}/auth/callback/email?token=t`, { method })
      const seen: PropertyKey[] = []
      const watched = new Proxy(request, {
        get(target, member) {
          seen.push(member)
          return Reflect.get(target, member, target) as unknown
        },
      })
      expect(parseVisit(watched, settings)).toMatchObject({
        refused: 'method',
        status: 405,
        allow: 'GET, POST',
      })
      expect(seen).toEqual(['method', 'body'])
    },
  )

  it.each(['/auth/unknown', '/auth', '/other', '/auth//session', '/auth/session/x', '/auth/%73ession'])(
    'HH-03 DEC-31b %s gets 404',
    (path) => {
      const message = `Cannot parse action at ${path}`
      expect(get(path)).toEqual({ refused: 'not-found', status: 404, message })
    },
  )

  it('HH-01 LM-07 parses any query as a URL parser does, with or without a fragment', () => {
    const part = fc.constantFrom(
      'a',
      'b=1',
      '&',
      '=',
      '+',
      '%20',
      '%',
      '%zz',
      'é',
      ' ',
      '#',
      '?',
      '/',
      "'",
      '"',
      ';',
    )
    const cases = spread('URLs with queries')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const text = `${site}/auth/callback/github?${parts.join('')}`
        const { method, headers, body, signal } = new Request(site)
        const visit = parseVisit({ method, headers, body, signal, url: text }, settings) as Visit
        expect([...visit.query]).toEqual([...new URL(text).searchParams])
        expect([visit.action, visit.providerId]).toEqual(['callback', 'github'])
        cases.count(/^[\w%&=+]*$/.test(parts.join('')) ? 'plain' : 'odd')
      }),
      { numRuns: 2000 },
    )
    cases.report()
    for (const label of ['plain', 'odd']) cases.atLeast(label, 100)
    const odd = parseVisit(new Request(`${site}/auth/session#a?b=1`), settings) as Visit
    expect([...odd.query]).toEqual([])
  })

  it('HH-05 accepts a provider id that objects inherit', () => {
    expect(visited(get('/auth/signin/__proto__')).providerId).toBe('__proto__')
    expect(visited(get('/auth/signin')).providerId).toBeUndefined()
  })

  it('WIR-006 returns redirects as JSON to a client with the header, whatever its value, or in the format of next-auth 4', async () => {
    const asks = async (body: string, type: string) => (await read(body, type)).returnsRedirect
    expect(visited(get('/auth/session', { 'X-Auth-Return-Redirect': '' })).returnsRedirect).toBe(true)
    expect(await asks('json=true', form)).toBe(true)
    expect(await asks('{"json":true}', 'application/json')).toBe(true)
    expect(await asks('json=1', form)).toBe(false)
    expect(await asks('{"json":{}}', 'application/json')).toBe(false)
  })

  it.each([
    [`${form};charset=UTF-8`, { a: '1' }],
    ['Application/X-WWW-Form-URLencoded ; x=y', { a: '1' }],
    ['multipart/form-data; boundary=x', {}],
    ['text/plain', {}],
    [`text/plain, ${form}`, {}],
    [`x${form}`, {}],
    [`${form}x`, {}],
    [`text/plain; a=${form}`, {}],
    ['', {}],
  ])('WIR-009 parses a form with the content type %j as %o', async (type, members) => {
    expect({ ...(await read('a=1', type)).body }).toEqual(members)
  })

  it('LM-07 takes the last of repeated form fields, and reports which were repeated', async () => {
    const visit = await read('code=1&state=2&code=3&code=4&a[b]=6&c=%F0%9F%98%80+%', form)
    expect(visit.body['code']).toBe('4')
    expect(visit.body['c']).toBe('😀 %')
    expect(visit.duplicates).toEqual(['code'])
    expect(Object.getPrototypeOf(visit.body)).toBe(null)
  })

  it.each(['toString', 'constructor', 'hasOwnProperty'])(
    'LM-07 has no field %s in a form without it',
    async (name) => {
      const visit = await read(`${name}=1`, form)
      expect(visit.duplicates).toEqual([])
      expect(Object.keys(visit.body)).toEqual([name])
      expect((await read('a=1', form)).body[name]).toBeUndefined()
      expect(visited(get('/auth/session')).body[name]).toBeUndefined()
    },
  )

  it.each(['__proto__', '\\u005f_proto__'])('LM-12 drops %s in an object of the body', async (name) => {
    const json = `{"data":{"${name}":{"admin":true},"name":"Ada","list":[{"${name}":{"admin":true}}]}}`
    const { data } = (await read(json, 'application/json')).body as { data: { list: object[] } }
    expect(Object.getOwnPropertyNames(data)).toEqual(['name', 'list'])
    expect(Object.assign({}, data)).not.toHaveProperty('admin')
    expect(Object.getOwnPropertyNames(data.list[0])).toEqual([])
  })

  it('LM-12 drops __proto__ in a JSON body, and keeps names such as constructor as data', async () => {
    const { body } = await read('{"__proto__":{"admin":true},"constructor":1}', 'application/json')
    expect(Object.keys(body)).toEqual(['constructor'])
    expect(Object.getPrototypeOf(body)).toBe(null)
    expect(Object.assign({}, body)).not.toHaveProperty('admin')
  })

  it.each([
    '{"token":"a","token":"b"}',
    '{"token":"a","token":"a"}',
    '{"token":"a","\\u0074oken":"b"}',
    '{"__proto__":1,"__proto__":2}',
    '{"":1,"":2}',
    '{"data":{"a":1,"b":2,"a":3}}',
    '{"list":[1,{"a":{"b":1,"b":{}}}]}',
  ])('LM-13 rejects %s', async (json) => {
    expect(await post(json, 'application/json')).toMatchObject({ status: 400 })
  })

  it('LM-13 accepts a name that occurs once in each of several objects, or in a value', async () => {
    const json = '{"a":{"a":{"a":"{\\"a\\":1,\\"a\\":2}"}},"list":[{"a":1},{"a":2}],"A":":","0":[":"]}'
    expect((await read(json, 'application/json')).body).toEqual(JSON.parse(json))
  })

  it('LM-12 drops a form field __proto__', async () => {
    const { body, duplicates } = await read('__proto__=1&a=2&__proto__=3&%5F_proto__=4', form)
    expect(Object.getOwnPropertyNames(body)).toEqual(['a'])
    expect(duplicates).toEqual([])
  })

  it.each(['[]', '[{}]', 'null', '1', '"x"', 'true', '{', '{"a":1}x', '{a:1}', ' ', '\u0000'])(
    'LM-07 rejects the JSON %j',
    async (body) => {
      expect(await post(body, 'application/json')).toMatchObject({ refused: 'bad-request', status: 400 })
    },
  )

  it.each([
    ['bytes', new Uint8Array([0x61, 0x3d, 0xff])],
    ['escapes', 'a=%FF'],
    ['escapes of a surrogate', 'a=%ED%A0%80'],
    ['a name', '%C3=1'],
  ])('LM-07 rejects a form with %s that are not UTF-8', async (_, body) => {
    expect(await post(body, form)).toMatchObject({ refused: 'bad-request', status: 400 })
  })

  it('LM-07 rejects a truncated or already consumed body, and treats an empty one as missing', async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) })
    expect(await post(broken, form)).toMatchObject({ refused: 'bad-request' })
    const used = new Request(`${site}/auth/signout`, {
      method: 'POST',
      body: 'a=1',
      headers: { 'Content-Type': form },
    })
    await used.text()
    expect(await parseVisit(used, settings)).toMatchObject({ refused: 'bad-request' })
    expect((await read('', 'application/json')).body).toEqual({})
    const bare = new Request(`${site}/auth/signout`, { method: 'POST' })
    expect(visited(await parseVisit(bare, settings)).body).toEqual({})
  })

  it('LM-07 DEC-31f never throws for any body: it returns a visit, or a refusal with status 4xx', async () => {
    const cases = spread('bodies')
    const json = fc.json().map((text) => [text, 'application/json'] as const)
    const fields = fc
      .array(fc.constantFrom('a', '=', '&', '%', 'FF', '%C3%A4', '__proto__', '[]', '+', '\u0000'), {
        maxLength: 10,
      })
      .map((parts) => [parts.join(''), form] as const)
    const bytes = fc
      .tuple(fc.uint8Array({ maxLength: 20 }), fc.constantFrom(form, 'application/json'))
      .map(([body, type]) => [body, type] as const)
    await fc.assert(
      fc.asyncProperty(fc.oneof(json, fields, bytes), async ([body, type]) => {
        const answer = await post(body, type)
        if ('refused' in answer) expect(answer.status).toBe(400)
        else expect(Object.getPrototypeOf(answer.body)).toBe(null)
        cases.count('refused' in answer ? 'refused' : 'read')
      }),
      { numRuns: 600 },
    )
    cases.report()
    cases.atLeast('refused', 100)
    cases.atLeast('read', 150)
  })

  it('LM-01 DEC-31d reads a body of 100 KiB, and rejects one byte more with 413', async () => {
    const body = (length: number) => `a=${'x'.repeat(length - 2)}`
    expect((await read(body(maxBody), form)).body['a']).toHaveLength(maxBody - 2)
    expect(await post(body(maxBody + 1), form)).toMatchObject({ refused: 'too-large', status: 413 })
  })

  it('LM-01 does not read a body whose declared length is far too long, whatever its type', async () => {
    for (const type of [form, 'multipart/form-data']) {
      const { sent, body } = endless()
      const answer = await post(body, type, { 'Content-Length': String(maxDiscarded + 1) })
      expect(answer).toMatchObject({ refused: 'too-large', status: 413 })
      expect(sent.bytes).toBe(0)
    }
  })

  it('LM-01 stops reading an endless body where it is too long to discard', async () => {
    const { sent, body } = endless(65_536)
    expect(await post(body, form, { 'Content-Length': '5' })).toMatchObject({ status: 413 })
    expect(sent.bytes).toBeLessThanOrEqual(maxDiscarded + 2 * 65_536)
    expect(sent.cancelled).toBe(true)
  })

  it.each([
    ['that is too long', 'signin/github', form, 413],
    ['of another type', 'signin/github', 'multipart/form-data', undefined],
    ['at an unknown route', 'nowhere', form, 404],
  ])('DEC-65 reads a body %s to its end', async (_, path, type, status) => {
    for (const length of [{}, { 'Content-Length': '200000' }] as Record<string, string>[]) {
      const { sent, body } = endless(50_000, 4)
      const answer = await post(body, type, length, undefined, path)
      const isDeclared = 'Content-Length' in length && path !== 'nowhere'
      expect('status' in answer ? answer.status : undefined).toBe(isDeclared ? 413 : status)
      expect(sent).toEqual({ bytes: 200_000, cancelled: false })
    }
  })

  it('DEC-65 waits two seconds for the rest of a body', async () => {
    const ring: (() => void)[] = []
    const platform: Platform = {
      ...systemPlatform,
      timer(milliseconds, late) {
        expect(milliseconds).toBe(2_000)
        ring.push(late)
        return { cancel: () => void ring.pop() }
      },
    }
    const sent = { cancelled: false }
    const body = new ReadableStream<Uint8Array>({ cancel: () => void (sent.cancelled = true) })
    const answer = post(body, form, { 'Content-Length': '200000' }, platform)
    await new Promise((resolve) => setTimeout(resolve))
    ring[0]?.()
    expect(await answer).toMatchObject({ refused: 'too-large', status: 413 })
    expect(sent.cancelled).toBe(true)
    expect(ring).toEqual([])
  })

  it('LM-01 rejects a URL over 16 KiB with 400, and a Cookie header over 64 KiB with 431', () => {
    const path = '/auth/session'
    const query = (length: number) => `?${'x'.repeat(length - path.length - 1)}`
    expect(get(path + query(maxUrl))).toHaveProperty('action')
    expect(get(path + query(maxUrl + 1))).toMatchObject({ refused: 'bad-request', status: 400 })
    expect(get(`/auth/signin/${'x'.repeat(maxUrl)}`)).toMatchObject({ refused: 'bad-request', status: 400 })
    const cookie = (length: number) => ({ Cookie: `a=${'x'.repeat(length - 2)}` })
    expect(get(path, cookie(maxCookieHeader))).toHaveProperty('action')
    expect(get(path, cookie(maxCookieHeader + 1))).toMatchObject({ refused: 'too-large', status: 431 })
  })

  it('LM-09 rejects a form of more than 1000 fields with 413, and a query of more than 1000 parameters with 400', async () => {
    const fields = (count: number) => Array.from({ length: count }, (_, n) => `f${n}=`).join('&')
    expect(await post(fields(maxFields), form)).toHaveProperty('action')
    expect(await post(fields(maxFields + 1), form)).toMatchObject({ refused: 'too-large', status: 413 })
    expect(get(`/auth/session?${fields(maxFields)}`)).toHaveProperty('action')
    const over = get(`/auth/session?${fields(maxFields + 1)}`)
    expect(over).toMatchObject({ refused: 'bad-request', status: 400 })
  })

  it('LM-09 rejects more than 500 cookies with 431', () => {
    const cookies = (count: number) => ({ Cookie: Array.from({ length: count }, () => 'a=1').join('; ') })
    expect(get('/auth/session', cookies(maxCookies))).toHaveProperty('action')
    const over = get('/auth/session', cookies(maxCookies + 1))
    expect(over).toMatchObject({ refused: 'too-large', status: 431 })
  })

  it('LM-09 rejects a JSON body of more than 500 values with 400, before parsing it', async () => {
    const parse = vi.spyOn(JSON, 'parse')
    try {
      const lists = (count: number) => `{"a":[${'0,'.repeat(count - 1)}0]}`
      // The object and the list also count as values.
      expect(await post(lists(maxFields - 1), 'application/json')).toHaveProperty('action')
      parse.mockClear()
      const over = await post(lists(maxFields), 'application/json')
      expect(over).toMatchObject({ status: 400, message: 'The body has more than 500 values of JSON' })
      expect(parse).not.toHaveBeenCalled()
    } finally {
      parse.mockRestore()
    }
  })

  it('LM-07 LM-11 parses any form as URLSearchParams does, unless an escape is not UTF-8', async () => {
    const words = ['k', 'y', '=', '&', '+', '%', '%4', '%41', '%2B', '%26', '%c3%a9', '?', '#', ';']
    const text = fc.array(fc.constantFrom(...words), { maxLength: 20 }).map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(text, async (body) => {
        // URLSearchParams drops a leading question mark, which is for queries.
        const expected = Object.fromEntries(new URLSearchParams(`&${body}`))
        expect({ ...(await read(`x&${body}`, form)).body }).toEqual({ x: '', ...expected })
      }),
      { numRuns: 1000 },
    )
  })

  it('LM-09 rejects a form of more than 500 malformed escapes with 400', async () => {
    expect((await read(`a=${'%'.repeat(maxFields)}`, form)).body).toEqual({ a: '%'.repeat(maxFields) })
    expect(await post(`a=${'%'.repeat(maxFields + 1)}`, form)).toMatchObject({ status: 400 })
  })

  it('LM-09 rejects a body in more than 250 chunks with 413, and stops reading there', async () => {
    const inPieces = (count: number) => {
      const sent = { pieces: 0 }
      const body = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            if (sent.pieces++ < count) controller.enqueue(new Uint8Array(1).fill(0x61))
            else controller.close()
          },
        },
        { highWaterMark: 0 },
      )
      return { sent, body }
    }
    expect(await post(inPieces(maxPieces).body, form)).toHaveProperty('action')
    const { sent, body } = inPieces(10 * maxPieces)
    expect(await post(body, form)).toMatchObject({ refused: 'too-large', status: 413 })
    expect(sent.pieces).toBeLessThan(maxPieces + 10)
  })

  it('DEC-34b rejects a body that does not end by the deadline with 400, and stops reading', async () => {
    const ring: (() => void)[] = []
    const platform: Platform = {
      ...systemPlatform,
      timer(milliseconds, late) {
        expect(milliseconds).toBe(stepDeadline)
        ring.push(late)
        return { cancel: () => void ring.pop() }
      },
    }
    const sent = { cancelled: false }
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('callbackUrl=%2F')),
      cancel: () => void (sent.cancelled = true),
    })
    const answer = post(body, form, {}, platform)
    await new Promise((resolve) => setTimeout(resolve))
    ring[0]?.()
    expect(await answer).toMatchObject({ refused: 'bad-request', status: 400 })
    expect(sent.cancelled).toBe(true)
    expect(ring).toEqual([])
    expect(await post('a=1', form, {}, platform)).toHaveProperty('action')
    expect(ring).toEqual([])
  })

  it('LM-10 rejects JSON of more than 64 levels with 400, and does not count brackets inside strings', async () => {
    const nest = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`
    expect(await post(nest(maxJsonDepth), 'application/json')).toHaveProperty('action')
    for (const levels of [maxJsonDepth + 1, 10_000]) {
      const message = 'The body has more than 64 levels of JSON'
      expect(await post(nest(levels), 'application/json')).toMatchObject({ status: 400, message })
    }
    const brackets = JSON.stringify({ a: '["\\\"{'.repeat(1000), b: [[], [], {}] })
    expect((await read(brackets, 'application/json')).body).toEqual(JSON.parse(brackets))
  })

  it('EMB-014 rejects a Host header that is not host[:port] with 400, whichever bridge made the URL', () => {
    for (const Host of ['app.test/auth/csrf?', 'app.test#', 'a@app.test', 'a b'])
      expect(get('/auth/session', { Host })).toMatchObject({ refused: 'bad-request', status: 400 })
    for (const Host of ['app.test', 'evil.test:1', '[::1]:80'])
      expect(get('/auth/session', { Host })).toHaveProperty('action')
  })
})
