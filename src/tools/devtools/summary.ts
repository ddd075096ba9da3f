import { writeMilliseconds } from '../diagrams/trace-marks.ts'
import { explainError } from '../../errors/explanations.ts'
import { problemTexts } from '../../errors/provider-failures.ts'
import { findAdvice, type Advice } from './advice.ts'
import type { RecordedRun } from './recorded-run.ts'
import { factsOf, findGraph } from './graphs.ts'

/** A run as an entry of the list, in the JSON form that the page's script receives. */
export interface Summary {
  readonly id: string
  readonly url: string
  readonly flow: string
  readonly request: string
  /** ISO 8601. */
  readonly at: string
  /** `success`, `refusal` and `fault`, or `running`. */
  readonly look: string
  readonly verdict: string
  readonly took: string
  /** The reason of the failure. */
  readonly reason: string
}

/** Summarises a run for the list. */
export function summarise(run: RecordedRun, path: string): Summary {
  const { id, flow, request, startedAt, hops, state } = run
  return {
    id,
    url: `${path}/runs/${id}`,
    flow,
    request,
    at: new Date(startedAt).toISOString(),
    look: lookOf(run),
    verdict: run.ending === undefined ? `in ${state}` : state,
    took: writeMilliseconds(hops.reduce((sum, { milliseconds }) => sum + milliseconds, 0)),
    reason: failureOf(run)?.reason?.replaceAll('`', '') ?? '',
  }
}

const lookOf = ({ ending }: RecordedRun) => ending ?? 'running'

/** Returns why a run failed, and the advice. Undefined for a run that succeeded or is still running. */
export function failureOf({ ending, hops, errors }: RecordedRun) {
  const last = hops.at(-1)
  if (!last || ending === undefined || ending === 'success') return undefined
  // A run that threw may have no event that explains it.
  const known = last.event === 'fault' ? undefined : findAdvice(last.event)
  const advice = explainProblem(errors) ?? known ?? explainCause(errors) ?? findAdvice('fault')
  return { state: last.state, event: last.event, ...advice }
}

/** Explains why a server could not be reached, if the run failed for this reason. */
function explainProblem(errors: readonly string[]): Advice | undefined {
  const name = errors.at(-1) ?? ''
  return Object.hasOwn(problemTexts, name) ? explainCause([name]) : undefined
}

/** Errors that say which action failed. Their cause says why. */
const outer: ReadonlySet<string> = new Set([
  'AuthError',
  'CallbackRouteError',
  'EmailSignInError',
  'JWTSessionError',
  'OAuthSignInError',
  'SessionTokenError',
  'SignInError',
  'SignOutError',
])

/** Explains the innermost error, if it is an error of the library that gives a reason. */
function explainCause(errors: readonly string[]): Advice | undefined {
  const type = errors.at(-1) ?? ''
  const explained = outer.has(type) ? undefined : explainError(type)
  return explained && { reason: explained.sentence, todo: explained.fix }
}

/** A group of runs as an entry of the list. */
export interface GroupSummary {
  readonly id: string
  readonly title: string
  readonly look: string
  /** The outcome, as a sentence. */
  readonly outcome: string
  readonly count: string
}

/** Returns the runs of each group. The newest group is first, and in each group, the oldest run is first. */
export function groupRuns(runs: readonly RecordedRun[]): RecordedRun[][] {
  const groups = new Map<string, RecordedRun[]>()
  for (const run of runs.toSorted((a, b) => Number.parseInt(a.id) - Number.parseInt(b.id)))
    groups.set(run.group, [...(groups.get(run.group) ?? []), run])
  return [...groups]
    .toSorted(([a], [b]) => Number.parseInt(b) - Number.parseInt(a))
    .map(([, members]) => members)
}

/** Summarises the runs of a group, the oldest first. */
export function summariseGroup(runs: readonly RecordedRun[]): GroupSummary {
  const telling = runs.filter((run) => run.ending !== 'success' || !factsOf(run.flow).isRoutine)
  const [first] = telling.length > 0 ? telling : runs
  const last = telling.at(-1) ?? runs.at(-1)
  const provider = first?.request.split('/')[1]
  return {
    id: first?.group ?? '',
    title:
      factsOf(first?.flow ?? '').title ?? (provider === undefined ? 'Sign-in' : `Sign-in with ${provider}`),
    look: last ? lookOf(last) : '',
    outcome: last ? describeOutcome(last) : '',
    count: runs.length === 1 ? '1 request' : `${runs.length} requests`,
  }
}

function describeOutcome({ flow, state, ending }: RecordedRun): string {
  if (ending === undefined) return 'A request is in progress.'
  return `${findGraph(flow)?.nodes.find(({ id }) => id === state)?.description}.`
}
