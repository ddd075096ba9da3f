import type { RequirementId } from '../../../spec/index.ts'

/** A requirement of a security standard, and who meets it: the library, the site, or neither. */
export interface SecurityLine {
  /** The number in its standard: `6.8.1` of the ASVS, `4.11` of RFC 9700. */
  readonly line: string
  /** Its requirement, in our words. */
  readonly asks: string
  /** Tested requirements of this library that cover the line, or the part of it that `site` does not name. */
  readonly held?: readonly RequirementId[]
  /** Requirements about the line that this library does not meet, or that no test proves. */
  readonly open?: readonly RequirementId[]
  /** The part that neither the library nor the site can do. */
  readonly uncovered?: string
  /** The tasks of the site. */
  readonly site?: string
  /** Why the line does not apply to a sign-in library. */
  readonly inapplicable?: string
}

/** The lines of one chapter, under the name of its table in the guide. */
export interface SecurityTable {
  readonly name: string
  /** The name of the standard in the sources of requirements. */
  readonly standard: 'ASVS' | 'RFC 9700'
  readonly lines: readonly SecurityLine[]
}
