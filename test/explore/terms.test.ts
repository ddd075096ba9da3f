import nodeCrypto from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { recordTerms } from '../../fuzz/explore/terms.ts'

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
