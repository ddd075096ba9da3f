import { describe, expect, it } from 'vitest'
import type { EmailSettings, Settings } from '../../src/config/settings.ts'
import { isGuessable } from '../../src/flows/email/guessable-token.ts'
import { hashesOf, mintLinkToken } from '../../src/flows/shared/mailed-proof.ts'

function provider(id: string, secret?: string): EmailSettings {
  const config = { id, name: id, type: 'email' as const, sendVerificationRequest: () => {}, secret }
  return {
    kind: 'email',
    id,
    name: id,
    type: 'email',
    confirm: 'elsewhere',
    method: 'link',
    maxAge: 86_400,
    config,
  }
}

function settings(secrets: readonly string[], ...providers: EmailSettings[]): Settings {
  return { secrets, providers: new Map(providers.map((each) => [each.id, each])) } as unknown as Settings
}

const known = '13c11ceadb2f23e073014370783badcc655151a1e303d5fcc4b2f85d121a26c3'

describe('the hash of a link', () => {
  it('DEC-05d REC-032 uses the Auth.js algorithm with a single e-mail provider', async () => {
    const mail = provider('mail')
    expect(await hashesOf('tok', mail, settings(['secret'], mail))).toEqual([known])
  })

  it('DEC-05d SU-15 also covers the provider id with several', async () => {
    const [a, b] = [provider('a'), provider('b')]
    const all = settings(['secret'], a, b)
    const [[ofA], [ofB]] = [await hashesOf('tok', a, all), await hashesOf('tok', b, all)]
    expect(new Set([ofA, ofB, known]).size).toBe(3)
  })

  it('DEC-05d does not depend on providers of other types', async () => {
    const mail = provider('mail')
    const other = { ...provider('other'), kind: 'oauth' } as unknown as EmailSettings
    expect(await hashesOf('tok', mail, settings(['secret'], mail, other))).toEqual([known])
  })

  it('SU-14 REC-032 is computed with each secret, the newest first, or with the provider’s own', async () => {
    const mail = provider('mail')
    const hashes = await hashesOf('tok', mail, settings(['new', 'secret'], mail))
    expect(hashes).toHaveLength(2)
    expect(hashes[1]).toBe(known)
    const own = provider('mail', 'secret')
    expect(await hashesOf('tok', own, settings(['new'], own))).toEqual([known])
  })
})

describe('the token of a link', () => {
  const platform = { randomBytes: (length: number) => new Uint8Array(length).fill(7) }
  const mint = async (generateVerificationToken?: () => unknown) => {
    const { config, ...rest } = provider('mail')
    const own = generateVerificationToken && { generateVerificationToken }
    return mintLinkToken(
      { ...rest, config: { ...config, ...own } } as EmailSettings,
      { platform } as Settings,
    )
  }

  it("SU-05 is 32 random bytes, or the provider's own", async () => {
    expect(await mint()).toBe('07'.repeat(32))
    expect(await mint(() => '123456')).toBe('123456')
    expect(await mint(async () => '123456')).toBe('123456')
  })

  it.each([
    ['314159', true],
    ['12345678901234567890', false],
    ['1234567890123456789', true],
    ['0123456789abcdef', false],
    ['0123456789abcde', true],
    ['wxyz-wxyz', true],
    ['WXYZ0WXYZ0WXY', false],
    ['WXYZ0WXYZ0WX', true],
    ['Wxyz0Wxyz0W', false],
    ['Wxyz0Wxyz0', true],
    [crypto.randomUUID(), false],
  ])('OPT-010 SU-05 %s counts as guessable: %o', (token, expected) => {
    expect(isGuessable(token)).toBe(expected)
  })

  it.each(['', 7, {}])('rejects %o from the provider', async (made) => {
    await expect(mint(() => made)).rejects.toThrow(
      /`generateVerificationToken` must return a non-empty string/,
    )
  })
})
