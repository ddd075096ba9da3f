import { requirement, type Requirement, type RequirementId } from 'authmachine/spec'
import { causeOf, severities, type Severity } from '../causes.ts'
import { properties } from '../properties/index.ts'
import { countVerdicts, type ConformanceReport } from '../run/report.ts'
import { triage, type Broken, type Failure } from '../run/triage.ts'
import { outOfTime, type Finding, type Judgement, type Verdict } from '../run/verdict.ts'
import type { Meaning } from '../world/breach.ts'
import { quote } from '../world/describe.ts'
import { isJudged, wholeRows } from './unjudged.ts'

/** The number of failures that say where to start. The report only names the others. */
export const shownFixes = 5

/** The steps of a long story that a report shows: how it begins, and how it ends. */
const shownSteps = { first: 3, last: 12 }

/** A step of a story with its number, or the place of the steps that are left out. */
interface Step {
  readonly step: string
  readonly line: string
}

/** Characters of a step that a report shows. */
const shownLength = 240

/**
 * Numbers the steps of a failure, and leaves out the middle of a long story and of long lines. A case ends at the check
 * that failed, so what it saw and what it expected follow the last step.
 */
export function shorten(judgement: Judgement): Step[] {
  const { first, last } = shownSteps
  const { trace = [] } = judgement.finding ?? {}
  const steps = trace.map((line, at) => ({ step: String(at + 1), line: `. ${clipStep(line)}` }))
  const left = steps.length - first - last
  if (steps.length === 0) return []
  const check = `→ observed: ${nameResult(judgement)}; expected: ${expectationOf(judgement)}`
  const end: Step = { step: '', line: check }
  if (left <= 1) return [...steps, end]
  const omission = { step: '', line: `… ${left} steps, which the JSON report contains` }
  return [...steps.slice(0, first), omission, ...steps.slice(-last), end]
}

/** What every authorization request contains, as the oracle configures its providers. */
const usualParameters =
  /(?<=[?&])(?:response_type=code|client_id=client-at-\w+|redirect_uri=[^&\s]*|scope=[\w+%]*|(?:state|nonce|code_challenge)=‹secret \d+›|code_challenge_method=S256)(?:&|(?=\s|,|$))/g

/**
 * Shortens a long step: first what each authorization request of a redirect contains, and then the middle of the request
 * and that of the response.
 */
function clipStep(line: string): string {
  if (line.length <= shownLength) return line
  const at = line.search(/ → (?:\d{3}\b|no response)/)
  const [request, response] = at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at)]
  const short = response.replace(/(?<=^ → \d{3}, )to .*/, (location) =>
    location.replaceAll(usualParameters, '').replace(/[?&](?=,|$)/, '?…'),
  )
  const left = shownLength - Math.min(request.length, shownLength / 2)
  const clipped = cutMiddle(short, left)
  return `${cutMiddle(request, shownLength - clipped.length)}${clipped}`
}

/** Cuts out the middle of a long text, and leaves more of its beginning than of its end. */
function cutMiddle(text: string, length: number): string {
  if (text.length <= length) return text
  const end = Math.floor((length - gap.length) / 3)
  return `${text.slice(0, length - gap.length - end)}${gap}${text.slice(-end)}`
}

const gap = ' … '

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
  decided: 'a decision: ',
  invariant: '',
} as const

/** Names a failure in a list: the words that are too long lose their middle, and a long result ends after a word. */
export function titleOf(failure: Pick<Failure, 'shown'>): string {
  const result = nameResult(failure.shown)
  if (result.length <= shownTitle) return result
  return `${result.slice(0, result.lastIndexOf(' ', shownTitle)).replace(/[\s,;:]+$/, '')} …`
}

function nameResult(shown: Judgement): string {
  return resultOf({ shown }).replaceAll(/\S{48,}/g, (word) => `${word.slice(0, 24)}…${word.slice(-16)}`)
}

/** Characters of a result in a title. */
const shownTitle = 160

/** Says how severe a failure is, and whether it is only advice. */
export function rankOf(broken: Broken): string {
  return basisOf(broken) === 'advice' ? `${broken.severity}, advice` : broken.severity
}

/** Quotes the requirement that a failure broke: `A session … (SE-10, required by a standard: ASVS 7.4.1)`. */
export function statementOf(failure: Pick<Failure, 'id' | 'shown'>): string {
  return `${requirement(failure.id).says} (${failure.id}, ${demandOf(failure)})`
}

/** Returns the expectation of a property as a sentence. The name of a property is a phrase about the target. */
export function expectationOf({ property }: Pick<Judgement, 'property'>): string {
  return `the target ${property}`
}

/** Introduces the statement of a requirement. */
export function labelOfStatement({ level }: Pick<Requirement, 'level'>): 'Required' | 'Recommended' {
  return level === 'must' ? 'Required' : 'Recommended'
}

/** Names the origin of the requirement that a failure broke, and its clause. */
export function demandOf(failure: Pick<Failure, 'id' | 'shown'>): string {
  const basis = basisOf(failure)
  const { source, status } = requirement(failure.id)
  const clauses = source.split('; ').filter((each) => standards.test(each))
  if (basis === 'advice' || clauses.length === 0)
    return `${basis}${origins[status] === '' ? ':' : ','} ${sourceOf(failure.id)}`
  // The rule comes from the standard, but the standard does not require what the case checked.
  const isBeyond = basis === 'required by the specification of authmachine'
  return `${basis}${isBeyond ? ', beyond' : ':'} ${clauses.join('; ')}`
}

/** Returns the origin of the requirement that a failure broke: a standard, or this project. Advice has neither. */
export function basisOf({ id, shown }: Pick<Failure, 'id' | 'shown'>): Basis {
  const { level, source } = requirement(id)
  if (level !== 'must') return 'advice'
  const observed = shown.finding?.meaning?.observed
  // No standard forbids a page to quote a provider's error.
  const isOwn = observed === 'a broken rule' || observed === 'a text' || !standards.test(source)
  return isOwn ? 'required by the specification of authmachine' : 'required by a standard'
}

/** The meaning of a failure, by the severity that its case showed. */
export const gains: Readonly<Record<Severity, string>> = {
  takeover: 'An attacker can use the session or the account of another user.',
  session: 'A session opens that must not, or outlives its end.',
  leak: 'An attacker can learn secrets or personal data, or lead visitors to another site.',
  'denial of service': 'An attacker, or a fault, can stop the application, sign users out, or lock them out.',
  hardening:
    'Alone, it gives an attacker nothing, but it weakens another defence, or breaks what your code relies on.',
}

/** The names in the steps of every target. */
export const names = {
  'ada, bob': 'honest users, each with a browser',
  eve: 'the attacker, an ordinary user with a separate browser',
  'alpha, beta': 'OpenID Connect providers. A provider can misbehave if the case says so',
  plain: 'a provider with OAuth 2.0 only',
  'mail, form, passkey': 'the other ways to sign in: mailed link, password, passkey',
  '‹secret 1›': 'a token, code or cookie. The same number is the same value',
} as const

/** Explains the names that occur in these failures, a line for each. */
export function explainNames(rows: readonly Broken[]): string[] {
  const shown = JSON.stringify(rows.map(({ shown: { finding } }) => [finding?.says, finding?.trace]))
  const occurs = (name: string) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(shown)
  return Object.entries(names)
    .filter(([all]) => all.replace('secret 1', 'secret \\d+').split(', ').some(occurs))
    .map(([name, says]) => `${name}: ${says}`)
}

/** Names the failure before this one in the list that the same defect may cause, by its number. */
export function describeKinship(row: Broken, before: readonly Broken[]): string | undefined {
  const isKin = (other: Broken) =>
    causeOf(other.id).id === causeOf(row.id).id && other.verdict === row.verdict
  const at = row.severity === 'hardening' ? -1 : before.findIndex(isKin)
  return at < 0 ? undefined : `Perhaps the same defect as ${at + 1}: try again after that fix.`
}

/** The order in which a report counts them. */
export const bases = [
  'required by a standard',
  'required by the specification of authmachine',
  'advice',
] as const
export type Basis = (typeof bases)[number]

/** Counts the broken requirements, and the recommendations that are not followed. Returns nothing if there are none. */
export function describeFound({ judgements }: Pick<ConformanceReport, 'judgements'>): string[] {
  const rows = new Map(
    triage(judgements).flatMap((row) => (row.verdict === 'XFAIL' ? [] : [[row.id, row] as const])),
  )
  const all = [...rows.values()].map(basisOf)
  const advice = all.filter((basis) => basis === 'advice').length
  const broken = all.length - advice
  const bySource = bases
    .filter((basis) => basis !== 'advice' && all.includes(basis))
    .map((basis) => `${all.filter((each) => each === basis).length} ${basis}`)
  const says = [
    ...(broken > 0 ? [`${count(broken, 'requirement')} broken (${bySource.join(', ')})`] : []),
    ...(advice > 0 ? [`${count(advice, 'recommendation')} not followed`] : []),
  ]
  return says.length === 0 ? [] : [`${says.join(' and ')}.`]
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** Published standards, and not advisories, the interface of Auth.js or decisions of this project. */
const standards = /\b(?:RFC|OIDC|ASVS|NIST SP|WebAuthn|WHATWG|OWASP)\b/

/** Explains the order of "Fix first". */
export const orderOfFixes =
  'The most urgent first: broken requirements before recommendations, and each by the severity of what happened. Equal ones are equally urgent, and their order is only a suggestion.'

/** Explains the severities that occurred, once for a report. */
export function explainSeverities(rows: readonly Broken[]): string[] {
  return severities
    .filter((each) => rows.some(({ severity }) => severity === each))
    .map((each) => `${each}: ${gains[each]}`)
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

/** Says what was tested, and the verdicts: `Tested 33 of 353 requirements in 2 s: 31 pass, 2 fail`. */
export function describeJudged(report: ConformanceReport): string {
  const rows = wholeRows(report)
  const counts = countVerdicts(report)
  const judged = rows.filter(({ verdict }) => isJudged(verdict))
  const found = results.flatMap(([verdict, says]) => (counts[verdict] ? [`${counts[verdict]} ${says}`] : []))
  const undecided = rows.filter(({ verdict }) => verdict === 'INCONCLUSIVE')
  const isLate = undecided.length > 0 && undecided.every(({ reason }) => reason === outOfTime)
  return `Tested ${judged.length} of ${rows.length} requirements in ${Math.round(report.took / 1000)} s (profile ${report.profile}, ${nameSeeds(report)})${found.length > 0 ? `: ${found.join(', ').replace(/\bundecided\b/, isLate ? '$& (time limit)' : '$&')}` : ''}`
}

/** The verdicts of tested requirements, as words of a sentence. */
const results: readonly (readonly [Verdict, string])[] = [
  ['PASS', 'pass'],
  ['FAIL', 'fail'],
  ['WARN', 'warn'],
  ['XFAIL', 'fail as expected'],
  ['XPASS', 'pass unexpectedly'],
  ['INCONCLUSIVE', 'undecided'],
  ['ERROR', 'stopped by an error of the oracle'],
]

export function nameSeeds({ seed, seeds }: ConformanceReport): string {
  return seeds ? `seeds ${seeds.join(', ')}` : `seed ${seed}`
}

/** Describes the verdicts of several seeds: `FAIL with 2, PASS with 1`. */
export function describeSeeds(counts: Partial<Record<Verdict, number>>): string {
  return Object.entries(counts)
    .map(([verdict, times]) => `${verdict} with ${times}`)
    .join(', ')
}
