import { type BrokenRule, loadExplorer, type Recording } from 'authmachine/instrumented'
import { requirement } from 'authmachine/spec'
import { capitalise } from '../explore/action.ts'
import type { Exploration, Story } from '../explore/explore.ts'
import { isLeftOut, type Outcome } from '../explore/run.ts'
import { measureCharts } from '../run/coverage.ts'

/** The name of the rule that no requirement states. */
const takeover = 'takeover'

/** One line about a configuration. */
export function sumUp(outcome: Outcome): string {
  if (isLeftOut(outcome)) return `${outcome.configuration}: left out, because ${outcome.reason}`
  const { configuration, depth, states, transitions, took, counterexamples } = outcome
  const broken = counterexamples.length === 0 ? 'no rule broken' : `${counterexamples.length} BROKEN`
  const size = `every sequence of ${depth} actions, ${states} states, ${transitions} transitions`
  return `${configuration}: ${broken}; ${size}, ${(took / 1000).toFixed(1)} s`
}

/**
 * Returns the coverage of the charts by all configurations together, or undefined for a target that does not report its
 * transitions.
 */
export function tellCharts(explorations: readonly Exploration[]): string | undefined {
  const hops = new Set(explorations.flatMap((each) => each.hops))
  if (hops.size === 0) return undefined
  const { states, transitions } = measureCharts(hops)
  const charts = new Set([...hops].map((hop) => hop.slice(0, hop.indexOf(':'))))
  const reached = `${states.reached} of ${states.total} states and ${transitions.reached} of ${transitions.total} transitions`
  return `${reached} of the charts were reached, in ${[...charts].toSorted().join(', ')}`
}

/** The pairs of merged states that differ. */
export function tellMerged({ configuration, merged }: Exploration): string {
  const lines = merged.differences.slice(0, 5).map(({ paths: [one, other], action, says }) => {
    const [first, second] = [one, other].map((path) => `${configuration}:${[...path, action].join('.')}`)
    return `  ${first} and ${second}: ${says}`
  })
  return [
    `${configuration}: ${merged.differences.length} differences in ${merged.pairs} pairs of merged states`,
    ...lines,
  ].join('\n')
}

/** A counterexample in words. */
export function tellStory({ configuration }: Exploration, story: Story): string {
  const { id = takeover, says, instead, count, actions, path } = story
  return [
    `${id}: ${says}`,
    ...actions.map((action, at) => `  ${at + 1}. ${action}`),
    `  → ${says}${count > 1 ? ` (${count} sequences end so)` : ''}`,
    `  Expected: ${instead}`,
    `  Repeat with: --replay '${configuration}:${path.join('.')}'`,
  ].join('\n')
}

/** Every request of a counterexample. */
export function tellRequests({ words }: Story): string {
  return words.map((line) => `  ${line}`).join('\n')
}

/** Returns the flow explorer with the counterexamples, to play on the charts; undefined if none can be played. */
export async function writeExplorations(
  target: string,
  explorations: readonly Exploration[],
): Promise<string | undefined> {
  const recordings = explorations.flatMap((each) =>
    groupByPath(each.counterexamples).flatMap((stories, at) => record(target, each, stories, at)),
  )
  const [first] = recordings
  if (!first) return undefined
  const { writeExplorer } = await loadExplorer()
  return writeExplorer({ recordings, play: first.id })
}

/** One sequence may break several rules. */
function groupByPath(stories: readonly Story[]): readonly (readonly Story[])[] {
  const groups = new Map<string, Story[]>()
  for (const story of stories) {
    const path = story.path.join('.')
    groups.set(path, [...(groups.get(path) ?? []), story])
  }
  return [...groups.values()]
}

function record(
  target: string,
  { configuration }: Exploration,
  stories: readonly Story[],
  at: number,
): Recording[] {
  const [first] = stories
  if (!first?.frames) return []
  return [
    {
      id: `${configuration.replaceAll(/\W+/g, '-')}-${at + 1}`,
      title: write(first.says),
      group: `Sequences that break a rule of ${target}`,
      requirements: [...new Set(stories.flatMap(({ id }) => id ?? []))],
      breaks: [...new Set(stories.map(({ id }) => id))].map(ruleOf),
      frames: [
        ...first.frames,
        ...stories.map(({ id = takeover, says, instead }) => ({
          kind: 'check' as const,
          id,
          holds: false,
          text: write(says),
          instead: write(instead),
        })),
      ],
      // The charts show where one request should have stopped, but not which earlier change should have ended
      // something.
      stops: [],
    },
  ]
}

/** Writes a finding as a sentence without a full stop. Findings name people as the code does, in lower case. */
function write(text: string): string {
  return capitalise(text.replaceAll(/\b(ada|bob|eve)\b(?!-)/g, capitalise))
}

function ruleOf(id: Story['id']): BrokenRule {
  if (id === undefined)
    return {
      says: 'A browser has a session of a user only after a proof by that user, and tokens of linked accounts only.',
      why: 'Anyone else who gets one has taken over the account.',
    }
  const { says, why } = requirement(id)
  return { id, says, ...(why !== undefined && { why }) }
}
