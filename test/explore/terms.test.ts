import nodeCrypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, describe, expect, it } from 'vitest'
import { recordTerms } from '../../fuzz/explore/terms.ts'

const { randomBytes, hash, createHash, createHmac, createCipheriv, scrypt } = nodeCrypto

// The record replaces functions of this process, in which other test files run later.
afterAll(() => {
  Object.assign(nodeCrypto, { randomBytes, hash, createHash, createHmac, createCipheriv, scrypt })
  syncBuiltinESMExports()
  for (const name of ['digest', 'encrypt']) Reflect.deleteProperty(crypto.subtle, name)
})

describe('the record of how random texts are made', () => {
  it('recognises a random input of a hash, even if its bytes are valid text', () => {
    const { drawn, find } = recordTerms()
    const salt = Buffer.from('0123456789abcdef')
    const hash = () => nodeCrypto.createHash('sha256').update(salt).digest('hex')
    expect(find(hash())).toEqual({ kind: 'hash', of: '0123456789abcdef' })
    drawn(salt)
    expect(find(hash())).toEqual({ kind: 'hash', of: salt.toString('base64url') })
  })
})
