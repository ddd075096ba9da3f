import { describe, expect, it } from 'vitest'
import { isId, readUser } from '../../src/session/stored.ts'

const user = { email: 'ada@example.com', emailVerified: null }

describe('the id of a user', () => {
  it('ADP-026 may be text or an integer, and is refused with the reason otherwise', () => {
    for (const id of ['ada', '0', 1, 0, Number.MAX_SAFE_INTEGER]) {
      expect(isId(id)).toBe(true)
      expect(readUser({ ...user, id }, 'getUser')).toMatchObject({ id })
    }
    for (const id of [7n, 2 ** 53, 1.5, Number.NaN])
      expect(() => readUser({ ...user, id }, 'getUser')).toThrow(`${id}. Return it as text`)
    for (const id of [undefined, null, '', {}, true])
      expect(() => readUser({ ...user, id }, 'getUser')).toThrow('a user without an id')
    for (const other of [7, 'ada', {}])
      expect(() => readUser(other, 'getUser')).toThrow('a user without an id')
  })
})
