import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { canonicaliseAddress, canonicaliseClaim, isSameAddress } from '../../src/text/email-address.ts'
import { parseCallbackUrl } from '../../src/http/callback-url.ts'
import { discoverServer } from '../../src/oauth/discover-server.ts'
import { tellProviderError } from '../../src/oauth/provider-error.ts'
import { Password } from '../../src/password.ts'
import type { PasswordHooks } from '../../src/provider-base/password.ts'
import { createRateLimits } from '../../src/rate-limit.ts'
import { passwords } from '../../src/types/symbols.ts'
import { readRecoveryCode } from '../../src/features/second-factor/recovery-codes.ts'
import { readSecret } from '../../src/text/typed-secret.ts'
import { createStage } from '../oauth/stage.ts'
import { silent } from '../performance/hostile-input.ts'
import { chinese, hosts, marks } from '../performance/hostile-texts.ts'

/** The texts that were normalised or parsed as URLs, because these operations take more than linear time. */
const seen: string[] = []

beforeEach(() => {
  seen.length = 0
  const { normalize } = String.prototype
  vi.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string, ...form) {
    seen.push(String(this))
    return normalize.apply(this, form)
  })
  const Original = URL
  class Watched extends Original {
    constructor(url: string | URL, base?: string | URL) {
      seen.push(String(url))
      super(url, base)
    }
    static override canParse(url: string | URL, base?: string | URL) {
      seen.push(String(url))
      return Original.canParse(url, base)
    }
  }
  vi.stubGlobal('URL', Watched)
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const accents = (length: number) => '\u00e9'.repeat(length)

async function checkNew(text: string): Promise<unknown> {
  const hooks = Reflect.get(Password({ sendLink() {} }), passwords) as PasswordHooks
  return hooks.check(text, { fetch, logger: silent })
}

async function countName(username: string): Promise<unknown> {
  const { rateLimit } = createRateLimits({ account: () => username })
  const request = new Request('https://app.test/')
  return rateLimit({ type: 'credentials', provider: 'own', credentials: { username }, request } as never)
}

async function discover(metadata: Readonly<Record<string, string>>): Promise<unknown> {
  const { provider, context } = createStage({ idp: { metadata } })
  return discoverServer(provider, 'token', context)
}

/** The function that reads each kind of text, and the shortest text that is too long or has too many marks. */
const readers: Readonly<Record<string, readonly [read: (text: string) => unknown, text: string]>> = {
  'a code': [(text) => readSecret('code', text), accents(65)],
  'a code of marks': [(text) => readSecret('code', text), `1${'\u0301'.repeat(61)}`],
  'a recovery code': [(text) => readRecoveryCode(text), accents(129)],
  'a password': [(text) => readSecret('password', text), accents(1537)],
  'a new password': [checkNew, accents(1537)],
  'a new password of marks': [checkNew, marks(200)],
  'a new password of half-width marks': [checkNew, `a${'\uff9e\uff9f'.repeat(40)}`],
  'a name to count attempts by': [countName, accents(513)],
  'an address': [canonicaliseAddress, `${accents(501)}@example.com`],
  'the address of a provider': [canonicaliseClaim, `${accents(501)}@example.com`],
  'an address that a provider did not trim': [canonicaliseClaim, `${marks(200)}@example.com `],
  'addresses to compare': [(text) => isSameAddress(text, ` ${text}`), `${accents(989)}@example.com`],
  'a name of marks in an address': [canonicaliseAddress, `${marks(200)}@example.com`],
}

describe('a text that is too long', () => {
  it.each(Object.entries(readers))('LM-14 is not normalised as %s', async (_, [read, text]) => {
    await read(text)
    const length = (text.length + 1) / 2
    expect(seen.filter((each) => each.length > length && !each.startsWith('https://app.test'))).toEqual([])
  })

  it.each([70, 100, 300])('LM-14 is not parsed as the domain of an address: a label of %i', (length) => {
    for (const read of [canonicaliseAddress, canonicaliseClaim]) read(`ada@${chinese(length)}.example`)
    expect(seen.filter((each) => each.startsWith('http'))).toEqual([])
  })

  it.each(Object.entries(hosts))('LM-14 is not parsed as a URL with %s', async (_, host) => {
    const text = host(1750)
    expect(parseCallbackUrl(text, 'https://app.test')).toBeUndefined()
    expect(await discover({ token_endpoint: text })).toMatchObject({
      failed: { reason: 'discovery-refused' },
    })
    expect(seen.filter((each) => each.includes(text))).toEqual([])
  })

  it('LM-14 is not parsed as a URL of the metadata of a provider', async () => {
    const text = `https://idp.example/${'a'.repeat(20_000)}`
    expect(await discover({ token_endpoint: text })).toMatchObject({
      failed: { reason: 'discovery-refused' },
    })
    expect(seen.filter((each) => each.includes(text))).toEqual([])
  })
})

it('LM-14 a description of an error is cut before it is searched for secrets and addresses', () => {
  const searched: number[] = []
  const { replaceAll } = String.prototype
  vi.spyOn(String.prototype, 'replaceAll').mockImplementation(function (this: string, ...given) {
    searched.push(this.length)
    return replaceAll.apply(this, given)
  })
  const description = `${'a'.repeat(2000)}@${'?'.repeat(2000)}`
  expect(tellProviderError({ error: 'server_error', description }, ['secret'])).toContain('server_error')
  expect(Math.max(...searched)).toBe(800)
})

describe('a text as long as allowed', () => {
  it('LM-14 is read', () => {
    expect(canonicaliseAddress(`${' '.repeat(980)}ada@example.com`)).toBe('ada@example.com')
    expect(canonicaliseAddress(`${' '.repeat(990)}ada@example.com`)).toBeUndefined()
    expect(canonicaliseAddress('ada@\u4e2d\u56fd.example')).toBe('ada@xn--fiqs8s.example')
    expect(readSecret('password', accents(512))).toHaveLength(512)
    expect(seen.length).toBeGreaterThan(3)
  })
})
