import crypto from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { hashPassword, verifyHash } from '../../src/password/hash.ts'
import { readSecret } from '../../src/text/typed-secret.ts'

const password = 'correct horse battery staple'
const cheap = '$scrypt$ln=4,r=8,p=1'

const { argon2 } = crypto

afterEach(() => {
  vi.restoreAllMocks()
  crypto.argon2 = argon2
})

describe('the hash of a password', () => {
  it('CC-12 is not computed in the memory that all buffers share', async () => {
    const typed = `a password ${crypto.randomUUID()}`
    await hashPassword(typed, cheap)
    expect(Buffer.from(Buffer.from('x').buffer).includes(typed)).toBe(false)
  })

  it('PW-01 is argon2id with the parameters of OWASP, and a separate salt', async () => {
    const hashes = await Promise.all([hashPassword(password), hashPassword(password)])
    for (const hash of hashes)
      expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(hashes[0]).not.toBe(hashes[1])
    expect(await verifyHash(password, hashes[0], undefined)).toEqual({ matches: true, isOutdated: false })
    expect(await verifyHash(`${password}.`, hashes[0], undefined)).toEqual({
      matches: false,
      isOutdated: false,
    })
  })

  it('PW-01 is scrypt before Node.js 24.7, where argon2id is missing', async () => {
    const modern = await hashPassword(password)
    Reflect.deleteProperty(crypto, 'argon2')
    const hash = await hashPassword(password)
    expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(await verifyHash(password, hash, undefined)).toEqual({ matches: true, isOutdated: false })
    expect(await verifyHash(password, modern, undefined)).toBeUndefined()
  })

  it('PW-01 equals the one of RFC 7914', async () => {
    const hash = Buffer.from('7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2', 'hex')
    const stored = `$scrypt$ln=14,r=8,p=1$${encode('SodiumChloride')}$${encode(hash)}`
    expect(await verifyHash('pleaseletmein', stored, cheap)).toMatchObject({ matches: true })
  })

  it('PW-01 is the same for both encodings of an accent', async () => {
    const hash = await hashPassword('cr\u00e8me br\u00fbl\u00e9e', cheap)
    const other = readSecret('password', 'cre\u0300me bru\u0302le\u0301e') ?? ''
    expect(await verifyHash(other, hash, cheap)).toMatchObject({ matches: true })
  })

  it('PW-06 is not created for a password that nobody could sign in with', async () => {
    const longest = '\u00e9'.repeat(512)
    expect(await hashPassword(longest, cheap)).toMatch(/^\$scrypt/)
    await expect(hashPassword(`${longest}.`, cheap)).rejects.toThrow(RangeError)
  })

  it.each(['$scrypt$ln=5,r=8,p=1', '$scrypt$ln=4,r=8,p=2', '$argon2id$v=19$m=64,t=1,p=1'])(
    'PW-03 is outdated if its parameters are %s',
    async (parameters) => {
      const hash = await hashPassword(password, parameters)
      expect(await verifyHash(password, hash, cheap)).toEqual({ matches: true, isOutdated: true })
    },
  )

  it.each([
    ['m,p,t', 'm=1024,p=2,t=3'],
    ['m,t,p', 'm=1024,t=3,p=2'],
    ['t,p,m', 't=3,p=2,m=1024'],
  ])(
    'PW-01 has its parameters in any order, as the package argon2 writes them: %s',
    async (_, parameters) => {
      const rest = 'YSBmaXhlZCBzYWx0IDE2Yg$vW9NGj1ShSLDrSgLfAygxgSV0KvGzTopuVK9qHEiI5s'
      const stored = `$argon2id$v=19$${parameters}$${rest}`
      expect(await verifyHash(password, stored, cheap)).toEqual({ matches: true, isOutdated: true })
      expect(await verifyHash(`${password}.`, stored, cheap)).toEqual({ matches: false, isOutdated: true })
    },
  )

  it.each([
    ['bcrypt', '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'],
    ['plain text', password],
    ['empty text', ''],
    ['parameters only', cheap],
    ['another version', `$argon2id$v=16$m=64,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$${'a'.repeat(43)}`],
    ['512 MiB of scrypt', `$scrypt$ln=19,r=8,p=1$c29tZXNhbHRzb21lc2FsdA$${'a'.repeat(43)}`],
    ['512 MiB of argon2id', `$argon2id$v=19$m=524288,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$${'a'.repeat(43)}`],
    ['17 passes', `$argon2id$v=19$m=64,t=17,p=1$c29tZXNhbHRzb21lc2FsdA$${'a'.repeat(43)}`],
    ['17 lanes', `$scrypt$ln=4,r=8,p=17$c29tZXNhbHRzb21lc2FsdA$${'a'.repeat(43)}`],
    ['passes twice', `$argon2id$v=19$m=64,t=1,t=1$c29tZXNhbHRzb21lc2FsdA$${'a'.repeat(43)}`],
    ['the parameters of another algorithm', `$scrypt$m=64,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$${'a'.repeat(43)}`],
    ['no passes', `$argon2id$v=19$m=64,t=0,p=1$c29tZXNhbHRzb21lc2FsdA$${'a'.repeat(43)}`],
  ])('PW-01 is not computed for %s', async (_, stored) => {
    const derive = vi.spyOn(crypto, 'scrypt')
    expect(await verifyHash(password, stored, cheap)).toBeUndefined()
    expect(derive).not.toHaveBeenCalled()
  })

  it('PW-02 costs the same work for nobody', async () => {
    const hash = await hashPassword(password)
    const derive = vi.spyOn(crypto, 'argon2')
    await verifyHash('wrong', hash, undefined)
    expect(await verifyHash('wrong', null, undefined)).toMatchObject({ matches: false })
    const [known, nobody] = derive.mock.calls.map(([algorithm, { nonce: _, ...costs }]) => [algorithm, costs])
    expect(known).toEqual(nobody)
  })

  it.each(['scrypt', `${cheap}$c29tZXNhbHRzb21lc2FsdA$${'a'.repeat(43)}`, '$argon2i$v=19$m=64,t=1,p=1', ''])(
    'PW-01 refuses the parameters %j',
    async (parameters) => {
      await expect(hashPassword(password, parameters)).rejects.toThrow('`parameters` must look like')
    },
  )
})

function encode(bytes: string | Buffer): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '')
}
