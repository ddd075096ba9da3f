import fc from 'fast-check'
import { domainToASCII } from 'node:url'
import { describe, expect, it } from 'vitest'
import { canonicaliseAddress, canonicaliseClaim } from '../../src/text/email-address.ts'
import { spread } from '../support/spread.ts'

const word = fc.stringMatching(/^[a-zA-Z0-9!#$%&'*+/=^_`{|}~-]{1,12}$/)
const label = fc.stringMatching(/^[a-zA-Z0-9]([a-zA-Z0-9-]{0,8}[a-zA-Z0-9])?$/)
const local = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('.'))
const domain = fc
  .tuple(fc.array(label, { maxLength: 3 }), fc.stringMatching(/^[a-zA-Z]{2,6}$/))
  .map(([labels, top]) => [...labels, top].join('.'))
/** Plain addresses. Labels with hyphens in the third and fourth place are reserved for encodings, and excluded. */
const address = fc.tuple(local, domain).map(([name, host]) => `${name}@${host}`)

/** Characters from attacks on addresses, and characters that normalise to them. */
const hostile = [
  ...'@,;:<>()[]"\\ \t\r\n\0\u007f%./',
  '\u200b',
  '\u00a0',
  '\u2028',
  '\uff20', // full-width @
  '\ufe6b', // small @
  '\uff0c', // full-width comma
  '\uff0e', // full-width full stop
  '\u3002', // ideographic full stop
  '\uff02', // full-width quote
  '\u037e', // Greek question mark, which normalises to a semicolon
  '\u2100', // account of: normalises to a/c
  '\u212a', // Kelvin sign
  '\u0130', // dotted capital I, whose lower case is two characters
  '\u00df',
  '\u1e9e',
  'é',
  'e\u0301',
  '=?utf-8?q?x?=',
]
const spiced = fc
  .tuple(address, fc.array(fc.tuple(fc.nat(60), fc.constantFrom(...hostile)), { maxLength: 3 }))
  .map(([plain, spices]) =>
    spices.reduce((text, [at, spice]) => `${text.slice(0, at)}${spice}${text.slice(at)}`, plain),
  )
const anything = fc.oneof(address, spiced, fc.string({ unit: 'binary' }), fc.emailAddress())

/** The mailboxes that an independent RFC 5322 parser reads from a To header with this text. */
function mailboxes(text: string): readonly string[] {
  return text
    .split(/[,;]/)
    .map((part) => /<([^>]*)>/.exec(part)?.[1] ?? part.replace(/\([^)]*\)|"[^"]*"/g, '').trim())
    .filter((part) => part.includes('@'))
}

describe('the canonical form of an address', () => {
  it('EM-01 is its own canonical form', () => {
    const cases = spread('canonical addresses canonicalised again')
    fc.assert(
      fc.property(anything, (text) => {
        const once = canonicaliseAddress(text)
        cases.count(once === undefined ? 'refused' : once === text ? 'kept' : 'changed')
        if (once !== undefined) expect(canonicaliseAddress(once)).toBe(once)
      }),
      { numRuns: 3000 },
    )
    cases.report()
    for (const label of ['refused', 'kept', 'changed']) cases.atLeast(label, 100)
  })

  it('EM-01 DEC-29e is the same whether or not there are blanks around the address', () => {
    const host = fc.array(
      fc.constantFrom('a', '7', '-', 'xn--', 'xn--p1ai', '.', '0x1', 'invalid', 'unproven'),
      {
        minLength: 1,
        maxLength: 6,
      },
    )
    const simple = fc.tuple(local, host).map(([name, parts]) => `${name}@${parts.join('')}`.toLowerCase())
    const cases = spread('addresses with and without blanks')
    fc.assert(
      fc.property(fc.oneof(simple, anything), (text) => {
        const found = canonicaliseAddress(text)
        cases.count(found === undefined ? 'refused' : 'accepted')
        expect(found).toBe(canonicaliseAddress(` ${text} `))
      }),
      { numRuns: 3000 },
    )
    cases.report()
    cases.atLeast('refused', 300)
    cases.atLeast('accepted', 300)
  })

  it('EM-02 EM-03 EM-06 DEC-29b DEC-29c DEC-29d is one plain mailbox, for any input', () => {
    const cases = spread('addresses from hostile text')
    fc.assert(
      fc.property(anything, (text) => {
        const found = canonicaliseAddress(text)
        cases.count(found === undefined ? 'refused' : 'accepted')
        if (found === undefined) return
        expect(mailboxes(found)).toEqual([found])
        expect(found).not.toMatch(/[\p{C}\p{Z}"(),:;<>[\\\]]|=\?/u)
        const [name = '', host = '', ...more] = found.split('@')
        expect(more).toEqual([])
        expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(64)
        expect(found.length).toBeLessThanOrEqual(254)
        expect(host).toMatch(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
        expect(domainToASCII(host)).toBe(host)
      }),
      { numRuns: 3000 },
    )
    cases.report()
    cases.atLeast('refused', 300)
    cases.atLeast('accepted', 300)
  })

  it('EM-05 is the same for every spelling of an address', () => {
    fc.assert(
      fc.property(address, (plain) => {
        const form = canonicaliseAddress(plain)
        fc.pre(form !== undefined)
        const wide = plain.replace(/[!-~]/g, (c) =>
          c === '.' ? c : String.fromCharCode(c.charCodeAt(0) + 0xfee0),
        )
        for (const spelling of [plain.toUpperCase(), ` ${plain}\n`, plain.normalize('NFD'), wide])
          expect(canonicaliseAddress(spelling)).toBe(form)
      }),
      { numRuns: 500 },
    )
  })

  it('EM-04 DEC-29a is normalised before it is validated', () => {
    expect(canonicaliseAddress('ann\uff20example.com')).toBe('ann@example.com')
    expect(canonicaliseAddress('ann@evil.example\uff20example.com')).toBeUndefined()
    expect(canonicaliseAddress('ann\uff0cbob@example.com')).toBeUndefined()
    expect(canonicaliseAddress('\uff02ann\uff02@example.com')).toBeUndefined()
    expect(canonicaliseAddress('ann\u037ebob@example.com')).toBeUndefined()
  })

  it('EM-04 DEC-29e is the same for strings that normalise alike', () => {
    expect(canonicaliseAddress('e\u0301@example.com')).toBe('é@example.com')
    expect(canonicaliseAddress('\u212aim@example.com')).toBe('kim@example.com')
  })

  it('EM-05 has its domain in ASCII', () => {
    expect(canonicaliseAddress('ann@B\u00fccher.example')).toBe('ann@xn--bcher-kva.example')
    expect(canonicaliseAddress('ann@xn--BCHER-kva.example')).toBe('ann@xn--bcher-kva.example')
    expect(canonicaliseAddress('ann@example\u3002com')).toBe('ann@example.com')
  })

  it.each([
    '"ann"@example.com',
    '"e@attacker.com"@victim.com',
    'ann@example.com,bob@example.com',
    'ann,bob@example.com',
    'ann@example.com;bob@example.com',
    'Ann <ann@example.com>',
    '<ann@example.com>',
    'ann(comment)@example.com',
    'group:ann@example.com;',
    '=?utf-8?q?ann?=@example.com',
    'ann@[127.0.0.1]',
    'ann\\@example.com',
  ])('EM-02 DEC-29b does not exist for %s', (text) => {
    expect(canonicaliseAddress(text)).toBeUndefined()
  })

  it.each([
    'ann\r\nBcc:bob@example.com',
    'ann\n@example.com',
    'ann@example.com\r\nBcc: bob@example.com',
    'ann\0@example.com',
    'ann@exam\tple.com',
    'an n@example.com',
    'ann@exam ple.com',
    'an\u00a0n@example.com',
    'an\u200bn@example.com',
    'an\u2028n@example.com',
  ])('EM-03 DEC-29b does not exist with control characters or white space: %j', (text) => {
    expect(canonicaliseAddress(text)).toBeUndefined()
  })

  it.each([
    '',
    '@',
    'ann',
    'ann@',
    '@example.com',
    'ann@@example.com',
    'ann@example.com@evil.example',
    'ann@example.com.',
    'ann@.example.com',
    'ann@example..com',
    'ann@-example.com',
    'ann@example-.com',
    'ann@exa_mple.com',
    'ann@127.0.0.1',
    'ann@127.1',
    'ann@0x7f.1',
    'ann@example.com:25',
    'ann@example.com/path',
    'ann@example.com?query',
    'ann@user%40example.com',
    '.ann@example.com',
    'ann.@example.com',
    'a..nn@example.com',
  ])('EM-06 DEC-29d does not exist for %j', (text) => {
    expect(canonicaliseAddress(text)).toBeUndefined()
  })

  it('EM-06 DEC-29c has at most 64 octets before the @, and 254 in total', () => {
    const host = `${'d'.repeat(63)}.${'d'.repeat(63)}.${'d'.repeat(59)}.`
    expect(canonicaliseAddress(`${'x'.repeat(64)}@example.com`)).toBe(`${'x'.repeat(64)}@example.com`)
    expect(canonicaliseAddress(`${'x'.repeat(65)}@example.com`)).toBeUndefined()
    expect(canonicaliseAddress(`${'é'.repeat(32)}@example.com`)).toBe(`${'é'.repeat(32)}@example.com`)
    expect(canonicaliseAddress(`${'é'.repeat(33)}@example.com`)).toBeUndefined()
    expect(canonicaliseAddress(`${'x'.repeat(63)}@${host}no`)).toHaveLength(254)
    expect(canonicaliseAddress(`${'x'.repeat(64)}@${host}no`)).toBeUndefined()
    expect(canonicaliseAddress(`ann@${'d'.repeat(64)}.com`)).toBeUndefined()
  })

  it('DEC-29b allows tags, apostrophes, other scripts, and a host without dots', () => {
    for (const plain of [
      "o'brien+tag@example.com",
      'анна@example.com',
      'ann@localhost',
      'a.b_c-d@ex-ample.co.uk',
      'ann@x.example',
      'ann@mail.x',
      'ann@1.example',
      'ann@2fast.example',
    ])
      expect(canonicaliseAddress(plain)).toBe(plain)
  })

  it('EM-06 rejects values that are not strings or are too long', () => {
    for (const raw of [undefined, null, 7, {}, ['ann@example.com'], { toString: () => 'ann@example.com' }])
      expect(canonicaliseAddress(raw)).toBeUndefined()
    const padded = (length: number) => 'ann@example.com'.padEnd(length)
    expect(canonicaliseAddress(padded(1000))).toBe('ann@example.com')
    expect(canonicaliseAddress(padded(1001))).toBeUndefined()
  })
})

describe('an address from a provider', () => {
  it.each(['\u017fupport@corp.example', '\uff41nn@corp.example', 'mar\u212a@corp.example'])(
    'DEC-13f does not turn %s into another mailbox',
    (claimed) => {
      expect(canonicaliseClaim(claimed)).toBeUndefined()
    },
  )

  it('DEC-13f is otherwise canonicalised', () => {
    expect(canonicaliseClaim(' Ann@B\u00fccher.example ')).toBe('ann@xn--bcher-kva.example')
    expect(canonicaliseClaim('\u00c9va@corp.example')).toBe('\u00e9va@corp.example')
    expect(canonicaliseClaim('ann@corp.\uff45xample')).toBe('ann@corp.example')
  })
})
