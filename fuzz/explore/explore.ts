import { requirement, type RequirementId } from 'authmachine/spec'
import type { Frame } from 'authmachine/instrumented'
import type { Setup } from '../targets/setup.ts'
import type { Driver } from '../targets/target.ts'
import { openHistory } from '../world/history.ts'
import { openBareWorld } from '../world/world.ts'
import type { Action } from './action.ts'
import type { Configuration } from './configurations/configuration.ts'
import { judge } from './judge.ts'
import type { Finding, Promises } from './judge/step.ts'
import { type Names, openNames } from './names.ts'
import { observe } from './observe.ts'
import { openScene, type Scene } from './scene.ts'
import { type Limits, pace, type Result, search } from './search.ts'
import { tellEffects } from './tell-effects.ts'
import type { Terms } from './terms.ts'

/** The result of the search in one configuration. */
export interface Exploration {
  readonly configuration: string
  /** The last depth at which every sequence was tried. */
  readonly depth: number
  readonly states: number
  readonly transitions: number
  /** Milliseconds of processor time. */
  readonly took: number
  /** The transitions of the charts that were taken, by name, if the target reports them. */
  readonly hops: readonly string[]
  /** The number of pairs of merged states that were compared, and their differences. */
  readonly merged: Result['merged']
  /** The shortest sequence for each rule that was broken. */
  readonly counterexamples: readonly Story[]
}

/** A sequence of actions that breaks a rule, in words. */
export interface Story {
  readonly id: RequirementId | undefined
  readonly says: string
  /** The expected behaviour. */
  readonly instead: string
  /** The actions after those of the setup, by their positions in the configuration. */
  readonly path: readonly number[]
  readonly actions: readonly string[]
  /** How many sequences break the rule. */
  readonly count: number
  /** What happened in each request. */
  readonly words: readonly string[]
  /** The same on the charts, for a target that reports its transitions. */
  readonly frames?: readonly Frame[]
}

/** Returns the reason why a target cannot be explored with a configuration, or undefined if it can. */
export function whyNot({ setup, needs }: Configuration, driver: Driver): string | undefined {
  const lacks = (['setup', 'clock', 'store'] as const).find((feature) => !driver.features.has(feature))
  if (lacks !== undefined) return `the target has no ${lacks}`
  const isMissing = (name: string) => !driver.capabilities.has(name)
  const missing = needs.find(isMissing) ?? setup.providers?.find((name) => !driver.providers.has(name))
  return missing === undefined ? undefined : `the target does not declare ${missing}`
}

/** Tries all sequences of a configuration's actions, and reports the shortest ones that break a rule. */
export async function explore(
  driver: Driver,
  terms: Terms,
  configuration: Configuration,
  limits: Limits,
): Promise<Exploration> {
  const started = cpuUsage()
  const { begin, browsers } = configuration
  const setup = fit(configuration.setup, driver)
  const actions = actionsFor(configuration, driver)
  const promises = promisesOf(configuration, driver)
  const scene = await openScene((each) => openBareWorld(driver, each, 1), driver, setup, browsers)
  const found = await search(scene, { actions, begin, promises, terms }, limits)
  await scene.world.close()
  const shortest = new Map<
    string,
    { readonly path: readonly number[]; count: number; readonly finding: Finding }
  >()
  for (const { path, findings } of found.counterexamples)
    for (const finding of findings) {
      const held = shortest.get(`${finding.id} ${finding.says}`)
      if (held) held.count += 1
      else shortest.set(`${finding.id} ${finding.says}`, { path, count: 1, finding })
    }
  const counterexamples: Story[] = []
  for (const { path, count, finding } of shortest.values()) {
    const { findings: _, ...told } = await tell(driver, configuration, path)
    counterexamples.push({ ...told, ...finding, path, count })
  }
  const { user, system } = cpuUsage(started)
  return {
    configuration: configuration.name,
    depth: found.depth,
    states: found.states,
    transitions: found.transitions,
    took: Math.round((user + system) / 1000),
    hops: [...found.hops],
    merged: found.merged,
    counterexamples,
  }
}

/**
 * Repeats a sequence in a new world that keeps its whole history, and returns the sequence in words, with the rules
 * that its last action breaks.
 */
async function tell(
  driver: Driver,
  configuration: Configuration,
  path: readonly number[],
): Promise<Pick<Story, 'actions' | 'words' | 'frames'> & { readonly findings: readonly Finding[] }> {
  const { scene, actions, findings } = await repeat(driver, configuration, path)
  const { history, playback } = scene.world
  await scene.world.close()
  const frames = playback?.frames(history.veil)
  return { findings, actions, words: history.words, ...(frames && { frames }) }
}

/** Repeats one sequence, and returns the rules that its last action breaks. */
export async function replay(
  driver: Driver,
  configuration: Configuration,
  path: readonly number[],
): Promise<Exploration> {
  const started = cpuUsage()
  const { findings, ...told } = await tell(driver, configuration, path)
  const { user, system } = cpuUsage(started)
  return {
    configuration: configuration.name,
    depth: path.length,
    states: path.length + 1,
    transitions: path.length,
    took: Math.round((user + system) / 1000),
    hops: [],
    merged: { pairs: 0, differences: [] },
    counterexamples: findings.map((finding) => ({ ...finding, path, count: 1, ...told })),
  }
}

async function repeat(driver: Driver, configuration: Configuration, path: readonly number[]) {
  const promises = promisesOf(configuration, driver)
  const actions = actionsFor(configuration, driver)
  const taken = path.flatMap((at) => actions[at] ?? [])
  const told: string[] = []
  const setup = fit(configuration.setup, driver)
  const open = (each: Setup) => openBareWorld(driver, each, 1, openHistory())
  const names = openNames()
  const scene = { ...(await openScene(open, driver, setup, configuration.browsers)), names }
  let findings: readonly Finding[] = []
  const { playback } = scene.world
  const { begin } = configuration
  const opening = begin.length > 0 ? playback?.chapter('Before the first step') : undefined
  const prepared: string[] = []
  for (const action of begin) {
    playback?.note(action.says)
    const done = await perform(scene, action, promises)
    prepared.push(done.says)
    findings = done.findings
  }
  opening?.({ after: prepared })
  for (const [at, action] of taken.entries()) {
    const end = playback?.chapter(action.says, at + 1)
    const done = await perform(scene, action, promises)
    end?.({ text: done.says, after: done.effects })
    told.push(done.says)
    findings = done.findings
  }
  return { scene, actions: told, findings }
}

/** Performs an action. Unlike the search, it does not undo the changes that reading the sessions makes in the store. */
async function perform(scene: Scene & { readonly names: Names }, action: Action, promises: Promises) {
  const { world } = scene
  const before = { seen: await observe(scene), truth: structuredClone(scene.truth) }
  world.history.say(`${action.says}:`)
  world.clock.advance(pace)
  const claim = await action.run(scene)
  const after = await observe(scene)
  const findings = judge({ action, claim, before, after, scene, promises })
  world.mailbox.empty?.()
  return {
    findings,
    says: claim.used === undefined ? action.says : `${action.says} (${claim.used})`,
    effects: tellEffects(before, { seen: after, truth: scene.truth }, scene.names),
  }
}

function actionsFor({ actions }: Configuration, { capabilities }: Driver): readonly Action[] {
  return actions.filter(({ needs = 'passkey' }) => needs === 'passkey' || capabilities.has(needs))
}

/** Omits actions that need a capability that the target lacks. */
function fit({ passwords, emailChange, with: wanted = {}, ...setup }: Setup, driver: Driver): Setup {
  const { optional, capabilities } = driver
  return {
    ...setup,
    ...(passwords && capabilities.has('passwords') && { passwords }),
    ...(emailChange && capabilities.has('email-change') && { emailChange }),
    with: Object.fromEntries(Object.entries(wanted).filter(([name]) => optional?.has(name))),
  }
}

/** The processor time of this thread, or of the whole process before Node.js 23.9. */
function cpuUsage(since?: NodeJS.CpuUsage): NodeJS.CpuUsage {
  const runtime: Partial<Pick<NodeJS.Process, 'threadCpuUsage'>> = process
  return runtime.threadCpuUsage?.(since) ?? process.cpuUsage(since)
}

/** Seconds after a proof within which users may change how they sign in. */
const freshness = 15 * 60

function promisesOf({ setup }: Configuration, driver: Driver): Promises {
  const { strategy } = setup
  return {
    ...(driver.capabilities.has(requirement('POL-02').capability ?? '') && { freshness }),
    mailsLinks: setup.providers?.includes('mail') === true,
    mailsCodes: setup.provider?.mail?.['method'] === 'code',
    capabilities: driver.capabilities,
    endsSessions: (driver.strategy ?? strategy) !== 'jwt' || driver.capabilities.has('jwt-revocation'),
  }
}
