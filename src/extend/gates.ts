import { expand, type Filling, type Fillings } from '../../machines/expand.ts'
import { toMachine } from '../../machines/chart.ts'
import type { Settings } from '../config/settings.ts'
import { once } from '../async/once.ts'
import { asError } from '../errors/as-error.ts'
import { AccessDenied, AuthError, CallbackRouteError, InvalidConfig } from '../errors/classes.ts'
import type { Facts } from '../flows/engine/facts.ts'
import type { Flow, Steps } from '../flows/engine/flow.ts'
import { type Given, step } from '../flows/engine/step.ts'
import type { World } from '../flows/engine/world.ts'
import { readUser } from '../session/stored.ts'
import type { Feature, Gate, GateDecision, Json } from '../types/feature.ts'
import { describeSubject, holdSignIn, type Place } from '../flows/shared/hold-sign-in.ts'
import { createTools } from './tools.ts'

/** A feature that has a gate. */
type Gated = Feature & { readonly gate: Gate<unknown> }

function listGated(features: readonly Feature[]): readonly Gated[] {
  return features.filter((feature): feature is Gated => feature.gate !== undefined)
}

/** The features that store something in the flows that sign in by a feature. */
function listSettling(features: readonly Feature[]): readonly Feature[] {
  return features.filter(({ signIn }) => signIn?.settle)
}

/**
 * Returns the states that the features add to the charts of sign-ins.
 *
 * @param isOfFeature whether the chart signs in by a feature
 */
export function fillingsOf(features: readonly Feature[], isOfFeature = false): Fillings {
  const gated = listGated(features)
  const ways = isOfFeature ? listSettling(features) : []
  return {
    gates: gated.map(({ name, gate }): Filling => {
      return {
        state: `checking${toPascal(name)}`,
        description: gate.description,
        step: (place) => `gate:${name}:${place}`,
      }
    }),
    settling: [
      ...ways.map(({ name, title }): Filling => {
        return {
          state: `keeping${toPascal(name)}`,
          description: `Store what “${title}” has learnt`,
          step: () => `keep:${name}`,
        }
      }),
      ...gated
        .filter(({ gate }) => gate.settle)
        .map(({ name, title }): Filling => {
          return {
            state: `settling${toPascal(name)}`,
            description: `Store what the gate “${title}” has learnt`,
            step: () => `settle:${name}`,
          }
        }),
    ],
  }
}

function toPascal(name: string): string {
  return name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

const expanded = new WeakMap<readonly Feature[], WeakMap<Flow, Flow>>()

/** Returns a flow with the gates of the configuration. A flow without slots stays the same. */
export function addGates(flow: Flow, { features }: Pick<Settings, 'features'>): Flow {
  const adding = admitsByFeature(flow)
    ? [...listGated(features), ...listSettling(features)]
    : listGated(features)
  if (flow.written === flow.chart || adding.length === 0) return flow
  const flows = expanded.get(features) ?? new WeakMap<Flow, Flow>()
  expanded.set(features, flows)
  const known = flows.get(flow) ?? fillSlots(flow, features)
  flows.set(flow, known)
  return known
}

function admitsByFeature({ steps }: Flow): boolean {
  return Object.hasOwn(steps, 'claimIdentity')
}

function fillSlots(flow: Flow, features: readonly Feature[]): Flow {
  const chart = expand(flow.written, fillingsOf(features, admitsByFeature(flow)))
  const machine = once(() => toMachine(chart))
  const keeping = listSettling(features).map((feature) => [`keep:${feature.name}`, settlingWay(feature)])
  const steps = { ...flow.steps, ...stepsOf(flow, listGated(features)), ...Object.fromEntries(keeping) }
  return {
    ...flow,
    chart,
    steps,
    get machine() {
      return machine()
    },
  }
}

function stepsOf({ id: flow, continues }: Flow, gated: readonly Gated[]): Steps {
  const gates = Object.entries(continues).flatMap(([place, continuation]) =>
    gated.map((feature) => [
      `gate:${feature.name}:${place}`,
      checkingGate(feature, { ...continuation, flow }),
    ]),
  )
  const settling = gated.flatMap((feature) => {
    const { settle } = feature.gate
    return settle ? [[`settle:${feature.name}`, settlingGate(feature, settle)]] : []
  })
  return Object.fromEntries([...gates, ...settling]) as Steps
}

/**
 * Asks the gate of a feature. It belongs to the turn of the identity, so that a concurrent first sign-in waits. In a
 * turn, a gate may call the adapter, but nothing that signs the same identity in.
 */
function checkingGate(feature: Gated, place: Place) {
  const { name, gate } = feature
  return step({
    needs: ['visit', 'candidate', 'account'],
    may: ['member', 'holder', 'profile', 'passed', 'callbackUrl'],
    says: { 'gate.passed': [], 'gate.held': ['gate'], 'gate.refused': ['failure'] },
    inTurn: true,
    async run(facts, world) {
      const { passed } = facts
      const subject = describeSubject(facts, world)
      if (passed && String(passed.userId) !== String(subject.userId))
        return refuse('The sign-in would have continued as another user')
      const tools = createTools(feature, facts.visit, world)
      const decision = readDecision(await blame(name, async () => gate.check(subject, tools)), name)
      const hasPassed = passed !== undefined && Object.hasOwn(passed.learnt, name)
      if (decision === 'pass' || (decision === 'hold' && hasPassed)) return { type: 'gate.passed' }
      if (decision !== 'hold') return refuse(decision.refuse)
      requireRoute(feature)
      await holdSignIn({ gate: name, place }, facts, world)
      return { type: 'gate.held', gate: name }
    },
  })
}

function requireRoute({ name, routes = {} }: Gated): void {
  const methods = routes[name]?.methods ?? []
  if (methods.includes('GET') && methods.includes('POST')) return
  throw new InvalidConfig(
    `The gate of "${name}" holds a sign-in, and needs the route "${name}" for GET and POST, to which the browser goes`,
  )
}

/** An error of a gate names its feature. */
async function blame<T>(name: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof AuthError) throw error
    throw new CallbackRouteError(asError(error), { feature: name })
  }
}

function refuse(reason: string) {
  return { type: 'gate.refused', failure: new AccessDenied(reason) } as const
}

/** A gate without a return statement must not let anyone pass. */
function readDecision(decision: unknown, name: string): GateDecision {
  if (decision === 'pass' || decision === 'hold') return decision
  const reason: unknown = Object(decision).refuse
  if (typeof reason === 'string') return { refuse: reason }
  throw new TypeError(
    `The gate of "${name}" must return 'pass', 'hold' or { refuse }, got a value of type ${typeof decision}`,
  )
}

/**
 * Lets the feature store what its page has learnt, if the gate has held this sign-in. The session and the events describe
 * the user as the feature has left them.
 */
function settlingGate(feature: Gated, settle: NonNullable<Gate<unknown>['settle']>) {
  return step({
    needs: ['visit', 'candidate'],
    may: ['member', 'holder', 'createdUser', 'passed'],
    says: { 'gate.settled': [] },
    async run(facts, world) {
      const { visit, candidate, member, holder, passed } = facts
      const settled = { type: 'gate.settled' } as const
      if (!passed || !Object.hasOwn(passed.learnt, feature.name)) return settled
      const userId = (holder ?? member ?? candidate).id ?? ''
      const learnt = passed.learnt[feature.name] as Json
      await blame(feature.name, async () => settle(userId, learnt, createTools(feature, visit, world)))
      return { ...settled, ...(await rereadUser(userId, facts, world)) }
    },
  })
}

/** Lets the feature that has proven the identity store what it has learnt, once the account is stored (FT-16). */
function settlingWay({ name, signIn }: Feature) {
  return step({
    needs: ['visit', 'candidate', 'identity'],
    may: ['member', 'holder', 'createdUser'],
    says: { 'gate.settled': [] },
    async run(facts, world) {
      const { visit, candidate, member, holder, identity } = facts
      const { feature } = world
      const settled = { type: 'gate.settled' } as const
      const { learnt } = identity
      if (feature?.name !== name || learnt === undefined) return settled
      const userId = (holder ?? member ?? candidate).id ?? ''
      await blame(name, async () => signIn?.settle?.(userId, learnt, createTools(feature, visit, world)))
      return { ...settled, ...(await rereadUser(userId, facts, world)) }
    },
  })
}

/** Returns the facts about the user, read again. `authorize` may have returned a user whom the store does not have. */
async function rereadUser(
  userId: string,
  { candidate, member, holder, createdUser }: Given<'candidate', 'member' | 'holder' | 'createdUser'>,
  { store }: World,
): Promise<Partial<Facts>> {
  const user = store?.has('getUser') ? readUser(await store.getUser(userId), 'getUser') : undefined
  if (!user) return {}
  const { name, email, image } = user
  return {
    candidate: { ...candidate, name, email, image },
    ...(member && { member: user }),
    ...(holder && { holder: user }),
    ...(createdUser && { createdUser: user }),
  }
}
