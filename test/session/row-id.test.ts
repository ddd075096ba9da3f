import { describe, expect, it } from 'vitest'
import { nameRow, parseRow, type RowNotes } from '../../src/session/row-id.ts'

const generated = '5f0c1e9a-7a53-4c43-9d6c-6a3f2b1c0d9e'
const opening = { account: 'a'.repeat(43), part: 'B-_'.repeat(14), issuedAt: 1_767_225_600 }
const shortened = { account: 'a'.repeat(16), part: 'B-_B-_B-_B-_B-_B', issuedAt: 1_767_225_600 }
const authentication = { amr: ['pwd', 'otp', 'mfa'], auth_time: 1_767_225_600 }
const scope = { domain: 'example.com', path: '/a.b', partitioned: true }
const none = {
  scope: undefined,
  authentication: undefined,
  opening: undefined,
  maxAge: undefined,
  since: undefined,
}

const written: readonly (readonly [string, string, RowNotes, RowNotes])[] = [
  ['nothing', '', {}, {}],
  ['the default scope', '', { scope: { path: '/' } }, {}],
  ['a scope', '.in~example.com~/a.b~p', { scope }, { scope }],
  ['the authentication', '.amr-pwd-otp-mfa.t85s00', { authentication }, { authentication }],
  ['no known authentication', '.amr-.0', { authentication: {} }, {}],
  [
    'the session at the provider',
    '.opt85s00.aaaaaaaaaaaaaaaa.B-_B-_B-_B-_B-_B',
    { opening },
    { opening: shortened },
  ],
  ['the idle lifetime', '.max60', { maxAge: 60 }, { maxAge: 60 }],
  ['the start', '.at1767225600', { since: 1_767_225_600 }, { since: 1_767_225_600 }],
  [
    'everything',
    '.in~example.com~/a.b~p.amr-pwd-otp-mfa.t85s00.opt85s00.aaaaaaaaaaaaaaaa.B-_B-_B-_B-_B-_B.max60.at1767225600',
    { scope, authentication, opening, maxAge: 60, since: 1_767_225_600 },
    { scope, authentication, opening: shortened, maxAge: 60, since: 1_767_225_600 },
  ],
  [
    'a scope beside an unknown authentication',
    '.in~~/a~.amr-.0.max60',
    { scope: { path: '/a' }, authentication: {}, maxAge: 60 },
    { scope: { domain: undefined, path: '/a', partitioned: false }, maxAge: 60 },
  ],
]

describe('the id of a session row', () => {
  it.each(written)('SE-38 ends with %s', (_, ending, notes, read) => {
    expect(nameRow(generated, notes)).toBe(generated + ending)
    expect(parseRow(generated + ending)).toEqual({ ...none, ...read })
  })

  it('SE-38 is read in any case', () => {
    const id = nameRow(generated, { authentication, maxAge: 60, since: 5 }).toUpperCase()
    expect(parseRow(id)).toMatchObject({ authentication, maxAge: 60, since: 5 })
  })

  it('SE-38 is copied with its notes to the row that replaces it', () => {
    const id = nameRow(generated, { scope, authentication, opening, maxAge: 60, since: 5 })
    expect(nameRow('other', parseRow(id))).toBe(id.replace(generated, 'other'))
  })

  it.each(['', 'x', '.max', '.max60.', '.at5.max60x', '.amr-pwd', '.op1.a.b', '.in~', `${generated}.AT`])(
    'SE-38 has no notes in other text: %s',
    (id) => expect(parseRow(id)).toEqual(none),
  )

  it('SE-38 has only notes in their order', () => {
    expect(parseRow('id.at5.max60')).toEqual({ ...none, maxAge: 60 })
    expect(parseRow('id.max60.amr-pwd.1')).toMatchObject({ maxAge: undefined })
  })
})
