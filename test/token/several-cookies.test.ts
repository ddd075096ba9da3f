import { describe, expect, it } from 'vitest'
import { hasSeveral, readCandidates } from '../../src/cookies/chunks.ts'
import { parseCookies } from '../../src/cookies/parse-cookies.ts'
import { defaultScope, nameScope, parseScope } from '../../src/cookies/scope.ts'
import { encode, getToken } from '../../src/jwt.ts'
import { nameRow, parseRow } from '../../src/session/row-id.ts'
import type { CookieSerializeOptions } from '../../src/types/cookies.ts'

const secret = 'a secret of the tests, long enough'
const cookieName = 'sid'
const of = (header: string) => readCandidates(parseCookies(header), cookieName)

async function tokenOf(sub: string) {
  return encode({ token: { sub }, salt: cookieName, secret })
}

describe('several session cookies with one name', () => {
  it('CK-17 are tried in their order, three of a name, and chunks that occur equally often', () => {
    expect(of('sid=a; sid=b')).toEqual(['a', 'b'])
    expect(of('sid=a; sid=b; sid=c; sid=d; sid=e')).toEqual(['a', 'b', 'c'])
    expect(of('sid=a; sid.0=b; sid.1=c')).toEqual(['a', 'bc'])
    expect(of('sid.0=a; sid.1=b; sid.0=c; sid.1=d')).toEqual(['ab', 'cd'])
    expect(of('sid.0=a; sid.0=b; sid.1=c')).toEqual([])
    expect(of('sid=; sid=a%20b')).toEqual(['a b'])
    expect(of('')).toEqual([])
    for (const several of ['sid=a; sid=b', 'sid=a; sid.0=b', 'sid.0=a; sid.0=b'])
      expect(hasSeveral(parseCookies(several), cookieName)).toBe(true)
    for (const single of ['', 'sid=a; other=b; other=c', 'sid.0=a; sid.1=b'])
      expect(hasSeveral(parseCookies(single), cookieName)).toBe(false)
  })

  it('CK-17 getToken finds the valid one wherever it is', async () => {
    const valid = await tokenOf('ada')
    for (const cookie of [
      `sid=invalid; sid=${valid}`,
      `sid=${valid}; sid=invalid`,
      `sid=old; sid.0=${valid}`,
    ])
      expect(await getToken({ req: { headers: { cookie } }, cookieName, secret })).toMatchObject({
        sub: 'ada',
      })
    const [older, newer] = [await tokenOf('old'), await tokenOf('new')]
    const both = { cookie: `sid=${older}; sid=${newer}` }
    expect(await getToken({ req: { headers: both }, cookieName, secret })).toMatchObject({ sub: 'old' })
    expect(await getToken({ req: { headers: both }, cookieName, secret, raw: true })).toBe(older)
    const cookie = 'sid=invalid; sid=other'
    expect(await getToken({ req: { headers: { cookie } }, cookieName, secret })).toBeNull()
  })

  it('CK-17 have scopes with names that can be read again', () => {
    const scopes: CookieSerializeOptions[] = [
      {},
      { path: '/auth' },
      { domain: '.Example.com' },
      { domain: 'example.com', path: '/a/b', partitioned: true },
    ]
    const names = scopes.map(nameScope)
    expect(names).toEqual([
      defaultScope,
      'Path=/auth',
      'Domain=example.com; Path=/',
      'Domain=example.com; Path=/a/b; Partitioned',
    ])
    expect(names.map((name) => nameScope(parseScope(name)))).toEqual(names)
    for (const other of [undefined, 7, '', 'Path=', 'Path=/; Secure', 'Domain=a b; Path=/', 'Path=/,x'])
      expect(nameScope(parseScope(other))).toBe(defaultScope)
  })
})

describe('the id of a session row', () => {
  it('CK-17 names a scope other than the default, unless it is too long', () => {
    const named = (scope: CookieSerializeOptions) => nameRow('id', { scope })
    expect(named({ path: '/' })).toBe('id')
    expect(named({ domain: 'example.com', path: '/' })).toBe('id.in~example.com~/~')
    expect(parseRow(`${named({ path: '/a.b', partitioned: true })}.amr-pwd.1.max60`).scope).toEqual({
      path: '/a.b',
      partitioned: true,
    })
    expect(named({ path: '/a~b' })).toBe('id')
    expect(named({ path: `/${'a'.repeat(200)}` })).toBe('id')
    expect(parseRow('id.in~').scope).toBeUndefined()
  })
})
