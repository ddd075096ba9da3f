import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { keepingClasses } from '../../fuzz/targets/keeping-classes.ts'
import { clearCookie, type CookieChange } from '../../src/cookies/cookie.ts'
import {
  type ResponseData,
  jsonHeaders,
  pageHeaders,
  respond,
  toInternal,
  toResponse,
} from '../../src/http/respond.ts'
import { spread } from '../support/spread.ts'

const cookie = (name: string, value = 'v'): CookieChange => ({ name, value, options: { path: '/' } })
const send = (answer: Partial<ResponseData>, returnsRedirect = false) =>
  toResponse(respond({ status: 200, cookies: [], ...answer }, { returnsRedirect }))
const trio = { 'cache-control': 'private, no-cache, no-store', expires: '0', pragma: 'no-cache' }
const headersOf = (response: Response) => Object.fromEntries(response.headers)

describe('a Response', () => {
  it('CK-08 keeps only the last Set-Cookie of each name, in its position', () => {
    const changes = [cookie('a', '1'), cookie('b', '2'), clearCookie(cookie('a')), cookie('a', '3')]
    expect(send({ cookies: changes }).headers.getSetCookie()).toEqual(['b=2; Path=/', 'a=3; Path=/'])
    expect(toInternal({ status: 200, cookies: changes }).cookies.map(({ name }) => name)).toEqual(['b', 'a'])
  })

  it.each([{ body: 'x' }, { body: {} }, { location: '/x' }, { status: 404 }])(
    'CK-12 DEC-32b is not cacheable with %o if it sets a cookie',
    (answer) => {
      for (const returnsRedirect of [false, true]) {
        expect(headersOf(send({ ...answer, cookies: [cookie('a')] }, returnsRedirect))).toMatchObject(trio)
      }
      expect(send(answer).headers.has('Cache-Control')).toBe('location' in answer)
    },
  )

  it('CK-12 is not cacheable if it is private, whatever its own headers say', () => {
    const headers = { 'Cache-Control': 'public, max-age=60' }
    expect(headersOf(send({ headers, body: null, private: true }))).toMatchObject(trio)
    expect(headersOf(send({ headers, cookies: [clearCookie(cookie('a'))] }))).toMatchObject(trio)
    expect(send({ headers }).headers.get('Cache-Control')).toBe('public, max-age=60')
  })

  it('DEC-32d is not cacheable if it is a redirect, or a redirect as JSON', () => {
    for (const returnsRedirect of [false, true])
      expect(headersOf(send({ location: '/x' }, returnsRedirect))).toMatchObject(trio)
  })

  it('TX-22 has status 302 for a redirect, whatever status the result had', async () => {
    const response = send({ status: 307, location: 'https://idp.test/authorize?x=1', cookies: [cookie('a')] })
    expect(response.status).toBe(302)
    expect(response.headers.get('Location')).toBe('https://idp.test/authorize?x=1')
    expect(response.headers.getSetCookie()).toHaveLength(1)
    expect(await response.text()).toBe('')
  })

  it('WIR-006 returns a redirect as JSON to a client that asked for it, with Location and cookies', async () => {
    const response = send({ location: 'https://idp.test/ü', cookies: [cookie('a'), cookie('b')] }, true)
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe('application/json')
    expect(response.headers.get('Location')).toBe('https://idp.test/%C3%BC')
    expect(response.headers.getSetCookie()).toHaveLength(2)
    expect(await response.json()).toEqual({ url: 'https://idp.test/%C3%BC' })
    expect(send({ status: 404, body: 'x' }, true).status).toBe(404)
  })

  it.each([
    [{ a: 1 }, '{"a":1}', 'application/json'],
    [null, 'null', 'application/json'],
    ['text', 'text', 'text/plain;charset=UTF-8'],
    [undefined, '', null],
  ])('WIR-007 sends the body %o as %s', async (body, text, type) => {
    const response = send({ body })
    expect(await response.text()).toBe(text)
    expect(response.headers.get('Content-Type')).toBe(type)
    const headers = { 'Content-Type': 'text/html' }
    expect(send({ body, headers }).headers.get('Content-Type')).toBe('text/html')
  })

  it('CK-10 RD-02 RD-04 has a Location that neither injects a header, throws, nor changes the host of its URL', () => {
    const cases = spread('locations')
    const part = fc.constantFrom(
      '/',
      'x',
      '\r\n',
      '\t',
      ' ',
      '\0',
      'ü',
      '😀',
      '\ud800',
      '\u2028',
      '?',
      '%',
      ';',
      ',',
    )
    const base = fc.constantFrom('https://app.test', 'https://app.test/', '/', '')
    fc.assert(
      fc.property(base, fc.array(part, { maxLength: 8 }), (start, parts) => {
        const given = start + parts.join('')
        const response = send({ location: given })
        const location = response.headers.get('Location') ?? ''
        expect(location).toMatch(/^[!-~]*$/)
        expect([...response.headers.keys()]).toEqual(['cache-control', 'expires', 'location', 'pragma'])
        const page = 'https://app.test/auth/signin'
        if (URL.canParse(location, page) && URL.canParse(given, page)) {
          const hosts = [new URL(given, page).host, 'app.test']
          expect(hosts).toContain(new URL(location, page).host)
        }
        cases.count(location === given ? 'as given' : 'encoded')
      }),
      { numRuns: 1000 },
    )
    cases.report()
    cases.atLeast('encoded', 500)
  })

  it('CK-08 CK-12 WIR-064 has the same content as data in raw mode', () => {
    const answer: ResponseData = {
      status: 200,
      location: '/x y',
      cookies: [cookie('a', '1'), cookie('a', '2')],
    }
    const { headers, ...internal } = toInternal(answer)
    expect(internal).toEqual({ status: 302, redirect: '/x%20y', cookies: [cookie('a', '2')] })
    expect(Object.fromEntries(headers)).toEqual(trio)
    const shared = Object.freeze({ path: '/', secure: true })
    const own = toInternal({ status: 200, cookies: [{ name: 'a', value: '1', options: shared }] })
    for (const { options } of own.cookies) options.secure = false
    expect(own.cookies).toMatchObject([{ options: { path: '/', secure: false } }])
    expect(toInternal({ status: 200, body: null, cookies: [] })).toMatchObject({ status: 200, body: null })
    expect(toInternal({ status: 404, cookies: [] })).not.toHaveProperty('body')
  })
})

describe('a Response of a server that keeps the objects it is given', () => {
  afterEach(() => void vi.unstubAllGlobals())

  it.each<Partial<ResponseData>>([
    { headers: jsonHeaders, body: {}, private: true },
    { headers: pageHeaders({ style: 'self' }), body: 'x' },
    { headers: { Allow: 'GET' }, body: null },
    { location: '/x' },
    {},
  ])('CC-12 has nothing of an earlier one: %o', (answer) => {
    for (const [name, value] of Object.entries(keepingClasses())) vi.stubGlobal(name, value)
    const earlier = send({ ...answer, cookies: [cookie('a', 'first')] })
    earlier.headers.append('X-Added', 'by the server')
    toInternal({ status: 200, cookies: [], ...answer }).headers.append('X-Added', 'by the application')
    for (const cookies of [[], [cookie('a', 'second')]]) {
      const { headers } = send({ ...answer, cookies })
      expect(headers.getSetCookie()).toEqual(cookies.map(({ value }) => `a=${value}; Path=/`))
      expect(headers.has('X-Added')).toBe(false)
    }
    expect(toInternal({ status: 200, cookies: [], ...answer }).headers.has('X-Added')).toBe(false)
  })
})

describe('a built-in page', () => {
  const policy = (sources: Parameters<typeof pageHeaders>[0]) =>
    (pageHeaders(sources)['Content-Security-Policy'] ?? '').split('; ')

  it('CK-12 CK-13 DEC-32a sends its security headers and is not cacheable', () => {
    expect(headersOf(send({ headers: pageHeaders({ style: 'sha256-x' }) }))).toEqual({
      ...trio,
      'content-type': 'text/html',
      'content-security-policy':
        "default-src 'none'; style-src 'sha256-x'; img-src 'self' data:; " +
        "form-action 'self' https: http://localhost:* http://127.0.0.1:*; base-uri 'none'; frame-ancestors 'none'",
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
  })

  it('CK-13 DEC-32a allows scripts and their requests in its policy only if it has a script', () => {
    const scripted = policy({ style: 'nonce-a', script: 'self' })
    expect(scripted).toEqual(expect.arrayContaining(["script-src 'self'", "connect-src 'self'"]))
    expect(policy({ style: 'nonce-a' }).join()).not.toMatch(/script|connect/)
  })

  it.each([
    ['https://cdn.test/logo.png?x=; script-src *', ' https://cdn.test'],
    ['http://localhost:3000/logo.png', ' http://localhost:3000'],
    ['/logo.png', ''],
    ['data:image/png;base64,x', ''],
    ['javascript:alert(1)', ''],
    ["x'; script-src *", ''],
  ])('CK-13 DEC-32a allows only the origin of the logo %s in its policy', (logo, named) => {
    expect(policy({ style: 'nonce-a', logo })).toContain(`img-src 'self' data:${named}`)
  })
})
