import type { RequirementId } from 'authmachine/spec'

/** Requirements that no property can test through requests, with the reason and the test that covers them. */
export const without: Readonly<Partial<Record<RequirementId, string>>> = {
  'CB-08': 'It is about adapters, not applications: the kit in fuzz/adapter tests them.',
  'EM-07': 'It is about the text of a mail; the oracle’s targets only pass the link on.',
  'LM-04': 'It compares times, and the oracle’s clock stands still; the parser tests measure them.',
  'LM-08': 'It counts operations inside a parser; the parser tests count its scans and decoding steps.',
  'LM-11':
    'It compares times, and the oracle’s clock stands still; a benchmark measures them, and a test counts the work.',
  'LM-14':
    'An overlong text is refused like any other invalid one; only its time differs, which a benchmark measures.',
  'LM-17':
    'Only rare texts make a dependency throw; a test sends thousands to every route, with every feature.',
  'MD-01': 'It is about the state machines themselves, which tests walk without requests.',
  'SE-22': 'It is about framework helpers, which are called as functions, without a browser’s request.',
  'SU-08': 'It is a permission: a longer link lifetime breaks nothing, and CF-05 covers the default.',
  'TM-01': 'It compares times, and the oracle’s clock stands still; on a shared machine they are noise.',
  'WA-14':
    'It is about a column that no response shows; the tests of the flows and of the adapters read the row.',
  'WA-15':
    'It depends on the origins in the configuration, which the oracle does not choose; the tests of the flows do.',
  'TM-02': 'It is about how strings are compared internally; only timing could show it.',
}
