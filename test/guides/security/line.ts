import type { RequirementId } from '../../../spec/index.ts'

/** What one line of a security standard asks for, and who meets it: the library, the site, or nobody. */
export interface SecurityLine {
  /** The number in its standard: `6.8.1` of the ASVS, `4.11` of RFC 9700. */
  readonly line: string
  /** What it asks for, in our words. */
  readonly asks: string
  /** Requirements that the library is tested for and that cover the line, or the part of it that `site` does not name. */
  readonly held?: readonly RequirementId[]
  /** Requirements about the line that this library does not meet, or that no test shows. */
  readonly open?: readonly RequirementId[]
  /** What neither the library does nor the site can add. */
  readonly uncovered?: string
  /** What the site has to do. */
  readonly site?: string
  /** Why the line is about something that a library for sign-in does not do. */
  readonly inapplicable?: string
}

/** The lines of one chapter, under the name of its table in the guide. */
export interface SecurityTable {
  readonly name: string
  /** How sources of requirements call the standard. */
  readonly standard: 'ASVS' | 'RFC 9700'
  readonly lines: readonly SecurityLine[]
}
