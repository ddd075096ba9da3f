import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRateLimits, type RateLimitOptions, type RateLimits } from '../../src/rate-limit.ts'
import type { RateLimitParams } from '../../src/types/rate-limit.ts'

const from = (ip: string) => new Request('https://app.test/', { headers: { 'x-client': ip } })
const clientAddress = ({ headers }: Request) => headers.get('x-client') ?? undefined
const account: RateLimitOptions['account'] = ({ username }) => username

const link = (identifier: string, ip = '192.0.2.1'): RateLimitParams => ({
  type: 'email',
  provider: 'mail',
  identifier,
  request: from(ip),
})
const guess = (identifier: string): RateLimitParams => ({
  type: 'verification',
  provider: 'mail',
  identifier,
  request: from('192.0.2.1'),
})
const password = (username: unknown, ip = '192.0.2.1', provider = 'form'): RateLimitParams => ({
  type: 'credentials',
  provider,
  credentials: { username, password: 'guess' },
  request: from(ip),
})
const passkey = (ip: string): RateLimitParams => ({
  type: 'passkey-options',
  provider: 'passkey',
  request: from(ip),
})

const ofFeature = (attempt: string, identifier?: string): RateLimitParams => ({
  type: 'feature',
  provider: 'phone',
  attempt,
  identifier,
  request: from('192.0.2.1'),
})

/** Returns how many of these attempts are allowed before the first refusal. */
async function countAllowed({ rateLimit }: RateLimits, attempt: RateLimitParams): Promise<number> {
  for (let allowed = 0; ; allowed++) if ((await rateLimit(attempt)) !== true) return allowed
}

describe('rate limits in memory', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('RL-03 have the documented defaults', async () => {
    const limits = createRateLimits({ account, clientAddress })
    expect(await countAllowed(limits, link('ada@example.com'))).toBe(5)
    expect(await limits.rateLimit(link('ada@example.com'))).toEqual({ retryAfter: 3600 })
    expect(await countAllowed(limits, guess('ada@example.com'))).toBe(10)
    expect(await limits.rateLimit(guess('ada@example.com'))).toEqual({ retryAfter: 3600 })
    expect(await countAllowed(limits, password('ada'))).toBe(10)
    expect(await limits.rateLimit(password('ada'))).toEqual({ retryAfter: 900 })
    expect(await countAllowed(limits, passkey('192.0.2.2'))).toBe(100)
    expect(await limits.rateLimit(passkey('192.0.2.2'))).toEqual({ retryAfter: 900 })
  })

  it('RL-03 FT-12 count the attempts of a feature by their name and their subject', async () => {
    const limits = createRateLimits({ limits: { client: false } })
    for (const attempt of [ofFeature('message', '+49'), ofFeature('code', '+49'), ofFeature('code', '+44')])
      expect(await countAllowed(limits, attempt)).toBe(10)
    expect(await limits.rateLimit(ofFeature('code', '+49'))).toEqual({ retryAfter: 3600 })
    // Without a subject, all visitors would share one count.
    const client = createRateLimits({ clientAddress: () => '192.0.2.1' })
    expect(await countAllowed(client, ofFeature('start'))).toBe(100)
  })

  it('RL-03 allow attempts again when the window ends, however many were refused', async () => {
    const limits = createRateLimits({ account })
    await countAllowed(limits, password('ada'))
    vi.advanceTimersByTime(899_500)
    expect(await limits.rateLimit(password('ada'))).toEqual({ retryAfter: 1 })
    vi.advanceTimersByTime(500)
    expect(await countAllowed(limits, password('ada'))).toBe(10)
  })

  it('RL-03 count each type of attempt, each address and each provider of accounts on its own', async () => {
    const limits = createRateLimits({ account })
    await countAllowed(limits, password('ada@example.com'))
    await countAllowed(limits, link('ada@example.com'))
    expect(await limits.rateLimit(guess('ada@example.com'))).toBe(true)
    expect(await limits.rateLimit(link('bob@example.com'))).toBe(true)
    expect(await limits.rateLimit(password('bob@example.com'))).toBe(true)
    expect(await limits.rateLimit(password('ada@example.com', '192.0.2.1', 'staff'))).toBe(true)
  })

  it('RL-03 change one by one, and turn off', async () => {
    const limits = createRateLimits({
      account,
      clientAddress,
      limits: { email: { attempts: 1, seconds: 60 }, credentials: false, client: false },
    })
    expect(await countAllowed(limits, link('ada@example.com'))).toBe(1)
    expect(await limits.rateLimit(link('ada@example.com'))).toEqual({ retryAfter: 60 })
    for (let n = 0; n < 200; n++) expect(await limits.rateLimit(password('ada'))).toBe(true)
    expect(await countAllowed(limits, guess('ada@example.com'))).toBe(10)
    await limits.reset({ provider: 'form', credentials: {} })
  })

  it.each([
    { attempts: 0, seconds: 60 },
    { attempts: 1.5, seconds: 60 },
    { attempts: Number.NaN, seconds: 60 },
    { attempts: 5, seconds: 0 },
    { attempts: 5, seconds: -1 },
    { attempts: 5, seconds: 2_147_484 },
  ])('RL-03 reject a limit of %j', (email) => {
    expect(() => createRateLimits({ limits: { email } })).toThrow(TypeError)
    expect(() => createRateLimits({ limits: { email } })).toThrow('`limits.email` must be positive integers')
  })

  it('RL-06 know no client without clientAddress, and read no header themselves', async () => {
    const limits = createRateLimits()
    const request = new Request('https://app.test/', { headers: { 'x-forwarded-for': '192.0.2.1' } })
    for (let n = 0; n < 200; n++)
      expect(await limits.rateLimit({ type: 'passkey-options', provider: 'passkey', request })).toBe(true)
  })

  it('RL-06 count all types of attempts of a client together, and all addresses of an IPv6 network', async () => {
    const client = { attempts: 4, seconds: 60 }
    const limits = createRateLimits({ account, clientAddress, limits: { client } })
    for (const attempt of [
      passkey('2001:db8::1'),
      link('ada@example.com', '2001:db8::2'),
      password('ada', '2001:db8::3'),
      passkey('2001:db8::4'),
    ])
      expect(await limits.rateLimit(attempt)).toBe(true)
    expect(await limits.rateLimit(passkey('2001:db8::5'))).toEqual({ retryAfter: 60 })
    expect(await limits.rateLimit(passkey('2001:db8:0:1::1'))).toBe(true)
  })

  it('RL-06 do not limit a client whose address is undefined, and reject one that is not an address', async () => {
    const limits = createRateLimits({ clientAddress, limits: { client: { attempts: 1, seconds: 60 } } })
    const request = new Request('https://app.test/')
    for (let n = 0; n < 3; n++)
      expect(await limits.rateLimit({ type: 'passkey-options', provider: 'passkey', request })).toBe(true)
    await expect(limits.rateLimit(passkey('192.0.2.1:80'))).rejects.toThrow(TypeError)
  })

  it('RL-06 a client over its limit cannot use up the attempts of an account', async () => {
    const client = { attempts: 3, seconds: 60 }
    const limits = createRateLimits({ account, clientAddress, limits: { client } })
    for (let n = 0; n < 50; n++) await limits.rateLimit(password('ada', '198.51.100.66'))
    for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
      expect(await limits.rateLimit(password('ada', ip))).toBe(true)
  })

  it('RL-07 reset the count of one account, and not that of the client', async () => {
    const client = { attempts: 15, seconds: 60 }
    const limits = createRateLimits({ account, clientAddress, limits: { client } })
    await countAllowed(limits, password('ada', '192.0.2.1'))
    await countAllowed(limits, password('bob', '192.0.2.2'))
    await countAllowed(limits, password('ada', '192.0.2.3', 'staff'))
    await limits.reset({ provider: 'form', credentials: { username: ' ADA ' } })
    expect(await limits.rateLimit(password('ada', '192.0.2.1'))).toBe(true)
    expect(await limits.rateLimit(password('bob', '192.0.2.2'))).not.toBe(true)
    expect(await limits.rateLimit(password('ada', '192.0.2.3', 'staff'))).not.toBe(true)
    expect(await countAllowed(limits, password('ada', '192.0.2.1'))).toBe(3)
  })

  it('RL-07 reset the count of one attempt at a feature', async () => {
    const limits = createRateLimits({})
    for (const identifier of ['ada', 'bob']) await countAllowed(limits, ofFeature('code', identifier))
    await limits.reset({ provider: 'phone', attempt: 'code', identifier: 'ada' })
    expect(await limits.rateLimit(ofFeature('code', 'ada'))).toBe(true)
    expect(await limits.rateLimit(ofFeature('code', 'bob'))).not.toBe(true)
  })

  it('RL-08 count names together that differ in case, width or blanks', async () => {
    const limits = createRateLimits({ account })
    const names = ['ada', 'Ada', 'ADA', ' ada', 'ada\t', 'ａｄａ', 'aDa', 'adA', 'AdA', 'ADa']
    for (const name of names) expect(await limits.rateLimit(password(name))).toBe(true)
    expect(await limits.rateLimit(password('ada'))).toEqual({ retryAfter: 900 })
  })

  it('RL-09 count by the account, whatever else the credentials, the URL and the headers contain', async () => {
    const limits = createRateLimits({ account })
    const attempt = (n: number) => {
      const named = password('ada')
      const url = `https://app.test/?username=decoy-${n}&email=decoy-${n}@mail.example`
      const headers = { 'user-agent': `decoy-${n}`, 'x-forwarded-for': `198.51.100.${n}` }
      const further = { account: `decoy-${n}`, email: `decoy-${n}@mail.example`, id: String(n) }
      return {
        ...named,
        request: new Request(url, { headers }),
        ...('credentials' in named && { credentials: { ...further, ...named.credentials } }),
      }
    }
    for (let n = 0; n < 10; n++) expect(await limits.rateLimit(attempt(n))).toBe(true)
    expect(await limits.rateLimit(attempt(10))).toEqual({ retryAfter: 900 })
  })

  it.each([[undefined], [['ada']], [{ toString: () => 'ada' }], [7], [null]])(
    'RL-08 reject credentials whose user name is %j',
    async (name) => {
      const limits = createRateLimits({ account })
      await expect(limits.rateLimit(password(name))).rejects.toThrow('Set `account` of `createRateLimits`')
    },
  )

  it('RL-08 reject credentials without the option account', async () => {
    await expect(createRateLimits().rateLimit(password('ada'))).rejects.toThrow(TypeError)
  })
})
