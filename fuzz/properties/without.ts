import type { RequirementId } from 'authmachine/spec'

/** Invariants that no property over requests can speak of, and why; what proves them instead. */
export const without: Readonly<Partial<Record<RequirementId, string>>> = {
  'CB-08': 'It is about adapters, not about applications: the kit in fuzz/adapter judges them.',
  'EM-07': 'It is about the text of a mail; a target of the world hands over the link, and makes no text.',
  'LM-04': 'It compares times, which stand still in a world; tests of the parsers measure them.',
  'LM-08': 'It counts what a parser does inside; tests of the parser count its scans and its decoding.',
  'LM-11':
    'It compares times, which stand still in a world; a benchmark measures them, and a test counts the work.',
  'MD-01': 'It is about the machines as they are drawn, which tests walk without any request.',
  'SE-22':
    'It is about the helpers of frameworks, which are called as functions and get no request of a browser.',
  'SU-08': 'It is a permission: a longer life of a link breaks nothing, and the default life is under CF-05.',
  'TM-01': 'It compares times, which stand still in a world, and are noise on a shared machine.',
  'TM-02': 'It is about how texts are compared inside; no answer shows it but by its time.',
}
