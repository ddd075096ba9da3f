import { requirement, type Requirement, type RequirementId } from 'authmachine/spec'
import { referencesOf, severities, type Severity } from '../causes.ts'
import { properties } from '../properties/index.ts'
import { severityOfFailure, worstOf } from '../run/assess.ts'
import { countVerdicts, type ConformanceReport } from '../run/report.ts'
import type { Failure, Problem } from '../run/triage.ts'
import { verdicts, type Finding, type Judgement, type Verdict } from '../run/verdict.ts'
import type { Meaning } from '../world/breach.ts'
import { quote } from '../world/describe.ts'
import { isJudged, wholeRows } from './unjudged.ts'

/** The number of causes that say where to start. For the others, the report only lists the ids. */
export const shownCauses = 5

/** The steps of a long story that a report shows: how it begins, and how it ends. */
const shownSteps = { first: 3, last: 12 }

/** A step of a story with its number, or the place of the steps that are left out. */
interface Step {
  readonly step: string
  readonly line: string
}

/** Characters of a step that a report shows. */
const shownLength = 240

/** The failed check is the one after the last step, because a case ends there. */
const end: Step = { step: '', line: '→ the check failed after this step' }

/** Numbers the steps of a story, marks the violation, and leaves out the middle of a long one and the end of long lines. */
export function shorten(trace: readonly string[]): Step[] {
  const { first, last } = shownSteps
  const steps = trace.map((line, at) => ({ step: String(at + 1), line: `. ${clip(line)}` }))
  const left = steps.length - first - last
  if (steps.length === 0) return []
  if (left <= 1) return [...steps, end]
  const gap = { step: '', line: `… ${left} steps, which the JSON report contains` }
  return [...steps.slice(0, first), gap, ...steps.slice(-last), end]
}

/** Cuts off the end of a long text. */
export function clip(text: string, length = shownLength): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}

/**
 * Returns the meaning of a failure and the fix to try first: those of the property, unless the monitor that found the
 * failure states others.
 */
export function meaningOf({ property, finding }: Judgement): Partial<Meaning> | undefined {
  const tested = properties.find(({ name }) => name === property)
  return tested || finding?.meaning ? { ...tested, ...finding?.meaning } : undefined
}

/** Names a failure by what happened, and never by the expected behaviour, which is the name of its property. */
export function resultOf({ shown }: Pick<Failure, 'shown'>): string {
  return shown.finding?.says ?? shown.reason ?? 'a case failed'
}

/** Names the source of a requirement, and distinguishes standards from sources of this project and of Auth.js. */
export function sourceOf(id: RequirementId): string {
  const { source, status } = requirement(id)
  // In the catalogue of providers (Wire 16), a name such as `line` does not look like that of a provider.
  return `${origins[status]}${source.replaceAll(/Wire 16, (?=\w)/g, 'Wire 16, provider ')}`
}

const origins = {
  given: 'the interface of Auth.js: ',
  decided: 'a decision of this project: ',
  invariant: '',
} as const

/** Names a group of failures by the worst that happened, and says how many more there are. */
export function titleOf({ broken: [worst, ...others] }: Problem): string {
  const result = clip(resultOf(worst), shownTitle)
  return others.length === 0 ? result : `${result}, and ${others.length} more`
}

/** Characters of a result in a title. */
export const shownTitle = 120

/** Says how severe a group of failures is, and whether it is only advice. */
export function rankOf({ severity, broken: [worst] }: Problem): string {
  return basisOf(worst) === 'advice' ? `${severity}, advice` : severity
}

/** Names the kind of defect and what it allows at worst, if the failures that occurred are as severe as that. */
export function riskOf({ cause, severity }: Problem): string {
  return severity === cause.severity ? `${cause.title}. At worst: ${cause.risk}` : ''
}

/** Quotes what a failure broke: `A session … (SE-10, required by a standard: ASVS 7.4.1)`. */
export function statementOf(failure: Pick<Failure, 'id' | 'shown'>): string {
  return `${requirement(failure.id).says} (${failure.id}, ${demandOf(failure)})`
}

/** Says what a property expects, whose name is a phrase about the target. */
export function expectationOf({ property }: Pick<Judgement, 'property'>): string {
  return `the target ${property}`
}

/** Introduces the statement of a requirement. */
export function labelOfStatement({ level }: Pick<Requirement, 'level'>): 'Required' | 'Recommended' {
  return level === 'must' ? 'Required' : 'Recommended'
}

/** Says who demands what a failure broke, and names the clause. */
export function demandOf(failure: Pick<Failure, 'id' | 'shown'>): string {
  const basis = basisOf(failure)
  const { source, status } = requirement(failure.id)
  const clauses = source.split('; ').filter((each) => standards.test(each))
  if (basis === 'advice' || clauses.length === 0)
    return `${basis}${origins[status] === '' ? ':' : ','} ${sourceOf(failure.id)}`
  // The rule comes from the standard, which does not demand what the case checked.
  const isBeyond = basis === 'required by our specification'
  return `${basis}${isBeyond ? ', beyond' : ':'} ${clauses.join('; ')}`
}

/**
 * Labels the meaning of a failure: the worst case of its property may be more than what the case showed. A check that
 * states its own meaning says what it saw.
 */
export function labelOfImpact(shown: Judgement): 'Impact' | 'At worst' {
  if (shown.finding?.meaning?.story !== undefined) return 'Impact'
  const rank = (severity: Severity = 'hardening') => severities.indexOf(severity)
  return rank(severityOfFailure(shown)) > rank(worstOf(shown)) ? 'At worst' : 'Impact'
}

/** Tells who demands what a failure broke: a standard, this project, or nobody, because it is advice. */
export function basisOf({ id, shown }: Pick<Failure, 'id' | 'shown'>): Basis {
  const { level, source } = requirement(id)
  if (level !== 'must') return 'advice'
  const observed = shown.finding?.meaning?.observed
  // No standard forbids a page to quote a provider's error.
  const isOwn = observed === 'a broken rule' || observed === 'a text' || !standards.test(source)
  return isOwn ? 'required by our specification' : 'required by a standard'
}

/** What a failure of this severity means, as its case showed. */
export const gains: Readonly<Record<Severity, string>> = {
  takeover: 'An attacker can use the session or the account of another user.',
  session: 'A session opens that must not open, or outlives its end.',
  leak: 'An attacker can learn secrets or personal data, or lead visitors to another site.',
  'denial of service': 'An attacker, or a fault, can stop the application, sign users out, or lock them out.',
  hardening:
    'Alone, it gives an attacker nothing, but it weakens another defence or breaks a contract with your code.',
}

/** The order in which a report counts them. */
export const bases = ['required by a standard', 'required by our specification', 'advice'] as const
export type Basis = (typeof bases)[number]

/** Counts the failures by who demands what they broke, and explains how those that the progress counted relate to them. */
export function describeFound({ judgements }: ConformanceReport, problems: readonly Problem[]): string[] {
  const failures = judgements.filter(({ verdict }) => verdict === 'FAIL')
  if (failures.length === 0) return []
  const broken = problems.flatMap((problem) => problem.broken)
  const rows = new Set(broken.map(({ id }) => id))
  return [
    `Found ${count(rows.size, 'broken requirement')} (${countBases(broken)}), by ${count(failures.length, 'failing test')}.`,
  ]
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** Counts failures by who demands it: `3 required by a standard, 1 advice`. */
function countBases(failures: readonly Failure[]): string {
  const all = failures.map(basisOf)
  return bases
    .map((basis) => [all.filter((each) => each === basis).length, basis] as const)
    .filter(([count]) => count > 0)
    .map(([count, basis]) => `${count} ${basis}`)
    .join(', ')
}

/** Published standards, and not advisories, the interface of Auth.js or decisions of this project. */
const standards = /\b(?:RFC|OIDC|ASVS|NIST SP|WebAuthn|WHATWG|OWASP)\b/

/** Explains the order of "Fix first". */
export const orderOfFixes =
  'The failures in groups of the same cause and severity, the most urgent first: broken requirements before recommendations, and each by the severity of what happened. Equal ones are equally urgent, and their order is only a suggestion.'

/** Lists the clauses of OWASP ASVS and RFC 9700 that a problem violates: at most six. */
export function listReferences(problem: Problem): string[] {
  return [...new Set(problem.broken.flatMap(({ id }) => referencesOf(id)))].slice(0, 6)
}

/** Names the applications of a failure, in brackets. A running application has no others. */
export function showSetups(target: string, setups: readonly string[]): string {
  return /^https?:/.test(target) ? '' : ` [${setups.join('; ')}]`
}

/** Returns the command that names the target. A report that the command line did not write has only the target. */
function commandOf({ command, target }: Pick<ConformanceReport, 'command' | 'target'>): string {
  return command ?? `npx authmachine-conformance ${quoteWord(target)}`
}

/** Quotes a word for a shell if necessary. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quote(word)
}

/** Returns the command that runs this campaign again. */
export function commandOfRun(report: ConformanceReport): string {
  const { profile, seed, seeds, only = [] } = report
  return [
    commandOf(report),
    `--profile ${profile}`,
    `--seed ${seed}`,
    ...(seeds ? [`--seeds ${seeds.length}`] : []),
    ...(only.length > 0 ? [`--only ${only.join(',')}`] : []),
  ].join(' ')
}

/** Returns the command that runs the case of a failure again. */
export function commandOfCase(
  report: Pick<ConformanceReport, 'command' | 'target'>,
  { replay }: Finding,
): string {
  return `${commandOf(report)} --replay ${replay}`
}

/** Says that a failure of a running application did not occur again in every repetition. Returns nothing if it did. */
export function doubtOf({ again }: Finding): string | undefined {
  if (!again || again.failures === again.tries) return undefined
  return `Occurs only in ${again.failures} of ${again.tries} repetitions: it depends on earlier requests or on timing.`
}

/** Says what was judged, and the verdicts: `33 of 353 requirements of mine in 2 s: 31 PASS, 2 FAIL`. */
export function describeJudged(report: ConformanceReport): string {
  const rows = wholeRows(report)
  const counts = countVerdicts(report)
  const judged = rows.filter(({ verdict }) => isJudged(verdict))
  const found = verdicts.flatMap((verdict) =>
    counts[verdict] && isJudged(verdict) ? [`${counts[verdict]} ${verdict}`] : [],
  )
  return `Judged ${judged.length} of ${rows.length} requirements in ${Math.round(report.took / 1000)} s (profile ${report.profile}, ${nameSeeds(report)})${found.length > 0 ? `: ${found.join(', ')}` : ''}`
}

export function nameSeeds({ seed, seeds }: ConformanceReport): string {
  return seeds ? `seeds ${seeds.join(', ')}` : `seed ${seed}`
}

/** Describes the verdicts of several seeds: `FAIL with 2, PASS with 1`. */
export function describeSeeds(counts: Partial<Record<Verdict, number>>): string {
  return Object.entries(counts)
    .map(([verdict, times]) => `${verdict} with ${times}`)
    .join(', ')
}
