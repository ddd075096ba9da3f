import { describe, expect, it } from 'vitest'
import type { CookiePurpose } from '../../src/config/settings.ts'
import { createCookieTable, findCookieFault } from '../../src/cookies/cookie-table.ts'
import { serializeCookie } from '../../src/cookies/cookie.ts'
import { openJar } from './jar.ts'

const names: Record<CookiePurpose, string> = {
  sessionToken: 'authjs.session-token',
  callbackUrl: 'authjs.callback-url',
  csrfToken: 'authjs.csrf-token',
  pkceCodeVerifier: 'authjs.pkce.code_verifier',
  state: 'authjs.state',
  nonce: 'authjs.nonce',
  webauthnChallenge: 'authjs.challenge',
  requestedLinks: 'authjs.requested-links',
  requestedCode: 'authjs.requested-code',
  pendingSignIn: 'authjs.pending-sign-in',
  rememberedDevice: 'authjs.remembered-device',
  refusedName: 'authjs.refused-name',
  feature: 'authjs.feature',
}
const purposes = Object.keys(names) as CookiePurpose[]
const attributes = (header: string) => header.split('; ').slice(1)

describe('the cookie table', () => {
  it.each(purposes)('CK-01 WIR-018 %s is HttpOnly, SameSite=Lax, and Secure over https only', (purpose) => {
    const header = (secure: boolean) => {
      const { name, options } = createCookieTable(undefined, secure)[purpose]
      return attributes(serializeCookie({ name, value: 'v', options })).filter(
        (a) => !a.startsWith('Max-Age'),
      )
    }
    expect(header(true)).toEqual(['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax'])
    expect(header(false)).toEqual(['Path=/', 'HttpOnly', 'SameSite=Lax'])
  })

  it.each([true, false])('CF-01 has no fault by default (secure: %s)', (secure) => {
    expect(findCookieFault(createCookieTable(undefined, secure))).toBeUndefined()
  })

  it('CK-01 keeps cookies of a transaction for 15 minutes, and the others for their configured age', () => {
    const table = createCookieTable(undefined, true)
    const ages = purposes.map((purpose) => [purpose, table[purpose].options.maxAge])
    expect(Object.fromEntries(ages)).toEqual({
      pkceCodeVerifier: 900,
      state: 900,
      webauthnChallenge: 900,
      sessionToken: undefined,
      callbackUrl: undefined,
      csrfToken: undefined,
      nonce: undefined,
      requestedLinks: undefined,
      requestedCode: undefined,
      pendingSignIn: undefined,
      rememberedDevice: undefined,
      refusedName: undefined,
    })
  })

  it.each(purposes)('CK-02 WIR-017 gives %s the prefix whose rules the cookie follows', (purpose) => {
    const own = [
      'csrfToken',
      'requestedLinks',
      'requestedCode',
      'pendingSignIn',
      'rememberedDevice',
      'refusedName',
      'feature',
    ]
    const host = own.includes(purpose) ? '__Host-' : '__Secure-'
    const table = createCookieTable(undefined, true)
    expect(table[purpose].name).toBe(host + names[purpose])
    expect(createCookieTable(undefined, false)[purpose].name).toBe(names[purpose])
    const jar = openJar()
    jar.take([{ ...table[purpose], value: 'v' }])
    expect(jar.carried().get(host + names[purpose])).toBe('v')
  })

  it.each([{ domain: 'app.test' }, { path: '/some' }])(
    'CK-02 gives a csrf cookie with %o the prefix __Secure-, since user agents reject a __Host- cookie with it',
    (options) => {
      const { csrfToken } = createCookieTable({ csrfToken: { options } }, true)
      expect(csrfToken.name).toBe('__Secure-authjs.csrf-token')
      const jar = openJar()
      jar.take([{ ...csrfToken, value: 'v' }])
      expect(jar.carried().get(csrfToken.name)).toBe('v')
    },
  )

  it('CFG-008 CFG-009 DEC-27a merges configured options into the defaults, and marks the cookie only if an option is set', () => {
    const table = createCookieTable(
      {
        sessionToken: { name: 'sid' },
        state: { options: { sameSite: 'none', domain: undefined, maxAge: undefined } },
        nonce: { name: 'n', options: { secure: false } },
      },
      true,
    )
    expect(table.sessionToken).toMatchObject({ name: 'sid', overridden: false })
    expect(table.callbackUrl.overridden).toBe(false)
    expect(table.state).toEqual({
      name: '__Secure-authjs.state',
      options: { httpOnly: true, sameSite: 'none', path: '/', secure: true, maxAge: 900 },
      overridden: true,
    })
    expect(table.nonce).toMatchObject({ name: 'n', options: { secure: false, path: '/' }, overridden: true })
  })
})
