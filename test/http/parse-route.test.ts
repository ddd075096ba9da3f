import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRoute } from '../../src/http/parse-visit.ts'
import { spread } from '../support/spread.ts'

const alone = ['csrf', 'error', 'providers', 'session', 'signout', 'verify-request'] as const
const withProvider = ['callback', 'signin', 'webauthn-options'] as const

describe('a route', () => {
  it.each([...alone, ...withProvider])(
    'HH-03 DEC-31b WIR-001 /%s matches, with or without one trailing slash',
    (action) => {
      for (const base of ['/auth', '', '/api/v1/auth']) {
        expect(parseRoute(`${base}/${action}`, base)).toEqual({ action })
        expect(parseRoute(`${base}/${action}/`, base)).toEqual({ action })
        expect(parseRoute(`${base}/${action}//`, base)).toBeUndefined()
      }
    },
  )

  it.each(withProvider)(
    'HH-03 DEC-31b WIR-002 /%s takes a provider id, other actions take none',
    (action) => {
      const route = { action, providerId: 'github' }
      expect(parseRoute(`/auth/${action}/github`, '/auth')).toEqual(route)
      expect(parseRoute(`/auth/${action}/github/`, '/auth')).toEqual(route)
      for (const other of alone) expect(parseRoute(`/auth/${other}/github`, '/auth')).toBeUndefined()
    },
  )

  it.each([
    '/auth',
    '/auth/',
    '/auth//session',
    '//auth/session',
    '/authsession',
    '/authxsession',
    '/auth/session/x',
    '/auth/signin/a/b',
    '/auth/signin//',
    '/auth/signin//a',
    '/auth/signin/a//',
    '/AUTH/session',
    '/auth/Session',
    '/auth/%73ession',
    '/auth%2fsession',
    '/auth/signin%2fgithub',
    '/auth/session%2f',
    '/auth/session;x=1',
    '/auth/session.json',
    '/xauth/session',
    '/x/auth/session',
    '/auth/unknown',
    '/auth/__proto__',
    '/auth/constructor',
  ])('HH-03 DEC-31b %s does not match', (pathname) => {
    expect(parseRoute(pathname, '/auth')).toBeUndefined()
  })

  it.each(['__proto__', 'constructor', 'undefined', 'git%68ub', 'GitHub', '%2e%2e'])(
    'HH-05 WIR-002 takes the provider id %s literally',
    (providerId) => {
      expect(parseRoute(`/auth/signin/${providerId}`, '/auth')).toEqual({ action: 'signin', providerId })
    },
  )

  it('HH-05 matches the base path literally, not as a pattern', () => {
    expect(parseRoute('/aXb/session', '/a.b')).toBeUndefined()
    expect(parseRoute('/a.b/session', '/a.b')).toEqual({ action: 'session' })
    expect(parseRoute('/(x)+/session', '/(x)+')).toEqual({ action: 'session' })
  })

  it('HH-03 matches a path exactly if it can be assembled from a route', () => {
    const cases = spread('routes')
    const part = fc.constantFrom('/', '//', '/github', '/Auth', '/session', '/auth', '%2f', '.', 'x')
    const parts = fc.array(part, { maxLength: 3 })
    const base = fc.constantFrom('', '/auth', '/auth/auth')
    fc.assert(
      fc.property(
        base,
        fc.boolean(),
        fc.constantFrom(...alone, ...withProvider),
        parts,
        (basePath, near, action, rest) => {
          const pathname = `${near ? `${basePath}/${action}` : ''}${near ? '' : '/'}${rest.join('')}`
          const route = parseRoute(pathname, basePath)
          if (!route) return cases.count('none')
          const whole = [basePath, route.action, ...(route.providerId ? [route.providerId] : [])].join('/')
          expect([whole, `${whole}/`]).toContain(pathname)
          expect(route.providerId ?? 'x').not.toContain('/')
          cases.count(route.providerId ? 'with provider' : 'alone')
        },
      ),
      { numRuns: 2000 },
    )
    cases.report()
    cases.atLeast('none', 300)
    cases.atLeast('with provider', 30)
    cases.atLeast('alone', 100)
  })
})
