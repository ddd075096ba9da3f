import { describe, expect, it } from 'vitest'
import { hasCandidates, readCandidates } from '../../src/cookies/chunks.ts'
import { parseCookies } from '../../src/cookies/parse-cookies.ts'
import { clearVariants } from '../../src/cookies/variants.ts'
import { encode, getToken } from '../../src/jwt.ts'

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
      expect(hasCandidates(parseCookies(several), cookieName)).toBe(true)
    for (const single of ['', 'sid=a; other=b; other=c', 'sid.0=a; sid.1=b'])
      expect(hasCandidates(parseCookies(single), cookieName)).toBe(false)
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
    expect(await getToken({ req: { headers: both }, cookieName, secret })).toMatchObject({ sub: 'new' })
    const cookie = 'sid=invalid; sid=other'
    expect(await getToken({ req: { headers: { cookie } }, cookieName, secret })).toBeNull()
  })

  it('CK-17 are cleared in a bounded number of variants, never the configured one', () => {
    const cookies = parseCookies(`sid=a; ${Array.from({ length: 12 }, (_, n) => `sid.${n}=b`).join('; ')}`)
    const cookie = { name: cookieName, options: { path: '/', domain: 'app.test', secure: true } }
    const cleared = clearVariants(cookies, cookie, 'https://a.b.app.test/auth')
    expect(cleared).toHaveLength(20)
    expect(cleared.every(({ options }) => options.maxAge === 0 && options.domain !== 'app.test')).toBe(true)
    const alone = clearVariants(
      parseCookies('sid=a'),
      { name: cookieName, options: { path: '/' } },
      'http://127.0.0.1/auth',
    )
    expect(alone.map(({ options }) => options.path)).toEqual(['/auth'])
    expect(clearVariants(parseCookies(''), cookie, 'https://app.test/auth')).toEqual([])
  })
})
