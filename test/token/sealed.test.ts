import { describe, expect, it } from 'vitest'
import { createKeyring } from '../../src/token/keyring.ts'
import { systemPlatform } from '../../src/platform/clock.ts'
import type { OAuthSettings } from '../../src/config/settings.ts'
import type { CookieChange } from '../../src/cookies/cookie.ts'
import { linkText } from '../../src/features/email-change/link.ts'
import { checkCookie, stateParameter } from '../../src/flows/oauth/check-cookies.ts'
import { responseCookie } from '../../src/flows/oauth/held-response.ts'
import { nameBrowser, mintCsrf } from '../../src/http/csrf.ts'
import { parseVisit } from '../../src/http/parse-visit.ts'
import type { Visit } from '../../src/http/visit.ts'
import { factorText } from '../../src/features/second-factor/factor-record.ts'
import { setupField } from '../../src/features/second-factor/seal-totp-secret.ts'
import { heldSignInCookie } from '../../src/session/held-sign-in.ts'
import { deviceCookie } from '../../src/features/second-factor/remembered-device.ts'
import { nameCookie } from '../../src/session/refused-name.ts'
import { codeCookie } from '../../src/features/mail-codes/requested-code.ts'
import { linksCookie } from '../../src/flows/email/requested-links.ts'
import {
  type CookieSealing,
  type SealedCookie,
  type SealedText,
  sealedCookie,
} from '../../src/token/sealed.ts'
import { factorChallengeCookie } from '../../src/features/second-factor/challenge-cookie.ts'
import { challengeCookie } from '../../src/webauthn/challenge.ts'
import { derive, secret } from '../config/derive.ts'

const now = Date.UTC(2026, 0, 1)
const later = now + 600_000
const settings = derive({ secondFactor: { findStep() {}, describe() {}, rememberFor: 86_400 } })
const platform = { ...systemPlatform, now: () => now }
const keys = createKeyring([secret], platform)
const sealing: CookieSealing = { keys, platform, settings }
const csrf = await mintCsrf([secret], systemPlatform.randomBytes)

/** A request with cookies. */
async function visit(cookies: Readonly<Record<string, string>> = {}): Promise<Visit> {
  const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const headers = { cookie: cookie.join('; ') }
  const parsed = await parseVisit(new Request('https://app.test/auth/session', { headers }), settings)
  if ('refused' in parsed) throw new Error(parsed.message)
  return parsed
}

const bare = await visit()
const names = bare.cookieTable
const own = { [names.csrfToken.name]: csrf.cookie }
const join = (changes: readonly CookieChange[]) => changes.map(({ value }) => value).join('')

/** One kind of sealed value, with the salt and the claims that every version writes. */
interface Kind {
  readonly salt: string
  readonly claims: Readonly<Record<string, unknown>>
  /** The thing to which the value is bound. */
  readonly bound: Readonly<Record<string, unknown>>
  /** Opens a value that a browser of this CSRF token sends. */
  readonly open: (value: string, bound: object, csrfCookie?: string) => Promise<unknown>
  /** Seals the content that `open` returned. */
  readonly seal: (content: object) => Promise<string>
}

function kindOfText<C extends object, B extends keyof C>(
  text: SealedText<C, B>,
  salt: string,
  claims: Kind['claims'],
  bound: Pick<C, B>,
): Kind {
  return {
    salt,
    claims,
    bound,
    open: async (value, given) => (await text.open(value, given as Pick<C, B>, sealing)).content,
    seal: (content) => text.seal(content as C, sealing),
  }
}

function kindOfCookie<C extends object, B extends keyof C>(
  cookie: SealedCookie<C, B>,
  salt: string,
  claims: Kind['claims'],
  bound: Pick<C, B>,
): Kind {
  return {
    salt,
    claims,
    bound,
    open: async (value, given, csrfCookie = csrf.cookie) =>
      cookie.open(
        await visit({ [salt]: value, [names.csrfToken.name]: csrfCookie }),
        given as Pick<C, B>,
        sealing,
      ),
    seal: async (content) => join(await cookie.write(content as C, bare, sealing)),
  }
}

const provider = { id: 'idp', responseMode: 'query' } as unknown as OAuthSettings
const challenge = { value: 'c', ceremony: 'authenticate', provider: 'passkey', offered: [] } as const
const record = { secret: 'S', step: 1, recovery: [], binding: 'b', failures: 0, blockedUntil: 0 }
const browsers = {
  code: await nameBrowser('code', csrf.token),
  'held-sign-in': await nameBrowser('held-sign-in', csrf.token),
}
const mailed = { provider: 'email', identifier: 'ada@example.com' }

const kinds: Readonly<Record<string, Kind>> = {
  state: kindOfText(stateParameter, 'encodedState', { random: 'r', origin: 'https://app.test' }, {}),
  'link of an address change': kindOfText(
    linkText,
    'authmachine.email-change',
    { address: 'new@example.com', row: 'r', sub: '1', until: later, stamp: 's' },
    { sub: '1', row: 'r' },
  ),
  'secret of a form': kindOfText(
    setupField,
    'authmachine.factor-setup',
    { userId: '1', secret: 'S' },
    { userId: '1' },
  ),
  'second factor': kindOfText(
    factorText,
    'authmachine.second-factor',
    { factor: { ...record, userId: '1' } },
    { userId: '1' },
  ),
  ...Object.fromEntries(
    (['state', 'pkce', 'nonce'] as const).map((check) => [
      `${check} check`,
      kindOfCookie(
        checkCookie(check, '.t0123456789abcdef', provider),
        `${names[check === 'pkce' ? 'pkceCodeVerifier' : check].name}.t0123456789abcdef`,
        { value: 'v', provider: 'idp', checks: ['pkce'] },
        { provider: 'idp' },
      ),
    ]),
  ),
  'held response': kindOfCookie(
    responseCookie,
    `${names.state.name}.response`,
    { provider: 'idp', response: 'code=c' },
    { provider: 'idp' },
  ),
  challenge: kindOfCookie(challengeCookie, names.webauthnChallenge.name, challenge, {
    ceremony: 'authenticate',
    provider: 'passkey',
  }),
  'challenge of a second factor': kindOfCookie(
    factorChallengeCookie,
    names.webauthnChallenge.name,
    { ...challenge, user: '1', factor: { attempt: 'a', createdAt: now } },
    { ceremony: 'authenticate', provider: 'passkey', user: '1', attempt: 'a' },
  ),
  'requested links': kindOfCookie(
    linksCookie,
    names.requestedLinks.name,
    { links: [{ hash: 'h', address: 'a', stored: 's', expires: later }] },
    {},
  ),
  'requested code': kindOfCookie(
    codeCookie,
    names.requestedCode.name,
    {
      code: { ...mailed, hash: 'h', nonce: 'n', attempt: 1, expires: later, browser: browsers.code },
    },
    { provider: 'email' },
  ),
  'held sign-in': kindOfCookie(
    heldSignInCookie,
    names.pendingSignIn.name,
    { held: { gate: 'factor', id: 'i', browser: browsers['held-sign-in'], facts: { callbackUrl: '/' } } },
    {},
  ),
  'remembered device': kindOfCookie(
    deviceCookie,
    names.rememberedDevice.name,
    { userId: '1', binding: 'b', stamp: 's' },
    { userId: '1', binding: 'b', stamp: 's' },
  ),
  'refused name': kindOfCookie(
    nameCookie,
    names.refusedName.name,
    { refused: { provider: 'p', name: 'ada' } },
    {},
  ),
}

const seal = async ({ claims, salt }: Kind) => keys.seal(claims, { salt, maxAge: 600, now })

describe.each(Object.entries(kinds))('the sealed %s', (name, kind) => {
  it('opens as every version has sealed it', async () => {
    expect(await kind.open(await seal(kind), kind.bound)).toBeDefined()
  })

  it('is sealed as every version opens it', async () => {
    const content = (await kind.open(await seal(kind), kind.bound)) as object
    const opened = await keys.open(await kind.seal(content), { salt: kind.salt, now })
    expect(opened).toMatchObject({ claims: kind.claims })
  })

  it('SU-09 refuses a value of any other purpose', async () => {
    for (const [other, each] of Object.entries(kinds)) {
      const opened = await kind.open(await seal(each), kind.bound)
      expect(opened !== undefined, other).toBe(other === name)
    }
  })

  it('SU-09 refuses a value that is bound to something else', async () => {
    const sealed = await seal(kind)
    for (const member of Object.keys(kind.bound))
      for (const other of ['another', undefined])
        expect(await kind.open(sealed, { ...kind.bound, [member]: other }), member).toBeUndefined()
  })
})

describe('a value that is bound to a browser', () => {
  it.each(['requested code', 'held sign-in'])('SU-09 opens in no other one: %s', async (name) => {
    const kind = kinds[name] as Kind
    const { cookie } = await mintCsrf([secret], systemPlatform.randomBytes)
    expect(await kind.open(await seal(kind), kind.bound, cookie)).toBeUndefined()
    expect(await kind.open(await seal(kind), kind.bound, '')).toBeUndefined()
  })

  it('opens in every browser without CSRF checks, which have no token', async () => {
    const open = { ...sealing, settings: { ...settings, csrf: false } }
    const value = await seal(kinds['held sign-in'] as Kind)
    const sent = await visit({ [names.pendingSignIn.name]: value })
    expect(await heldSignInCookie.open(sent, {}, open)).toBeDefined()
  })

  it('can be ended in every browser', async () => {
    const value = await seal(kinds['held sign-in'] as Kind)
    const sent = await visit({ [names.pendingSignIn.name]: value })
    expect(await heldSignInCookie.peek(sent, sealing)).toMatchObject({ id: 'i' })
  })
})

describe('a sealed cookie', () => {
  const cookie = sealedCookie<{ readonly text: string }>({
    cookie: () => ({ name: 'sample', options: { path: '/' } }),
    maxAge: 60,
    boundTo: [],
    read: ({ text }) => (typeof text === 'string' ? { text } : undefined),
  })

  it('expires with its content', async () => {
    const [change] = await cookie.write({ text: 'a' }, bare, sealing)
    expect(change).toMatchObject({ name: 'sample', expires: new Date(now + 60_000) })
    const sent = await visit({ ...own, sample: change?.value ?? '' })
    expect(await cookie.open(sent, {}, sealing)).toEqual({ text: 'a' })
    const after = { ...sealing, platform: { now: () => now + 60_000 } }
    expect(await cookie.open(sent, {}, after)).toBeUndefined()
  })

  it('is split into chunks, and read and removed with them', async () => {
    const written = await cookie.write({ text: 'a'.repeat(5000) }, bare, sealing)
    expect(written.map(({ name }) => name)).toEqual(['sample.0', 'sample.1'])
    const sent = await visit(Object.fromEntries(written.map(({ name, value }) => [name, value])))
    expect(cookie.isSent(sent)).toBe(true)
    expect(await cookie.open(sent, {}, sealing)).toBeDefined()
    expect(cookie.remove(sent).map(({ name }) => name)).toEqual(['sample', 'sample.0', 'sample.1'])
  })

  it('of other claims is refused', async () => {
    const value = await keys.seal({ text: 1 }, { salt: 'sample', maxAge: 60, now })
    expect(await cookie.open(await visit({ sample: value }), {}, sealing)).toBeUndefined()
    expect(cookie.isSent(bare)).toBe(false)
  })
})
