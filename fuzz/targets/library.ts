import type { ThreadClock } from '../world/clock.ts'
import { createPlan } from '../world/fault-plan.ts'
import type { Idp } from '../world/idp/contract.ts'
import { createIdp } from '../world/idp/idp.ts'
import { openMailbox } from '../world/mailbox.ts'
import { openNetwork } from '../world/network.ts'
import { usersOf, type RemoteName } from '../world/people.ts'
import { openPlayback, type Playback } from '../world/playback.ts'
import { openPoints } from '../world/points.ts'
import { createStore, type Rows, withNumericIds, withoutResults } from '../world/store.ts'
import { createRecorded } from '../world/recorded.ts'
import { assumeRouter } from './assume-router.ts'
import { configure, issuers } from './configure.ts'
import { installKeepingClasses } from './keeping-classes.ts'
import { providersOf, type Setup } from './setup.ts'
import {
  features,
  type Driver,
  type Feature,
  type LibraryTarget,
  type Operations,
  type Stage,
} from './target.ts'

/** The globals of this thread, controlled by the world. */
export interface Ground {
  readonly clock: ThreadClock
  readonly reseed: (seed: number) => void
  /** Replaces the thread's fetch. */
  readonly route: (send: typeof fetch) => void
  /** Sets these environment variables, and unsets those of the previous call. */
  readonly setVariables: (variables: Readonly<Record<string, string>>) => void
}

export const origin = 'https://app.example'
export const basePath = '/auth'

/** Drives a library in this thread; each application has its own world. */
export function driveLibrary(target: LibraryTarget, ground: Ground): Driver {
  const missing = new Set<Feature>(['description', 'custom-routes', ...(target.lacks ?? [])])
  if (!target.tokens) missing.add('tokens')
  if (!target.passkey) missing.add('passkey')
  if (!target.gates) missing.add('gates')
  let playback: Playback | undefined
  target.watchHops?.((hop) => playback?.hop(hop))
  return {
    name: target.name,
    capabilities: assumeRouter(target.capabilities),
    optional: new Set(Object.keys(target.turnOn ?? {})),
    features: new Set(features.filter((feature) => !missing.has(feature))),
    providers: new Set([
      'alpha',
      'beta',
      'plain',
      'mail',
      'form',
      ...(target.passkey ? (['passkey'] as const) : []),
    ]),
    open(setup, salt) {
      playback = target.watchHops && openPlayback()
      return openStage(target, ground, { setup, salt, playback })
    },
    presets: new Set(Object.keys(target.presets ?? {})),
  }
}

interface Opening {
  readonly setup: Setup
  readonly salt: number
  readonly playback: Playback | undefined
}

async function openStage(
  target: LibraryTarget,
  ground: Ground,
  { setup, salt, playback }: Opening,
): Promise<Stage> {
  ground.setVariables(setup.env ?? {})
  const restore = setup.keepsObjects ? installKeepingClasses() : () => {}
  ground.reseed(salt)
  ground.clock.reset()
  const idps = {
    alpha: openIdp('alpha', ground, setup),
    beta: openIdp('beta', ground, setup),
    plain: openIdp('plain', ground, setup),
  }
  const network = openNetwork(hostsOf(Object.values(idps)))
  const plan = createPlan()
  const points = openPoints(plan, (plane, name) => {
    if (plane === 'store' || plane === 'mail') playback?.call(plane, name)
  })
  const parts = { mailbox: openMailbox(), points }
  const send = points.watch('network', { fetch: network.fetch }).fetch
  ground.route(async (input, init) => {
    const request = new Request(input, init)
    playback?.call('provider', `${request.method} ${new URL(request.url).pathname}`)
    return send(request)
  })

  let returns = 0
  const openApplication = async (wanted: Setup, store: ReturnType<typeof createStore>): Promise<Stage> => {
    const recorded = createRecorded()
    const watched = points.watch('store', storeOf(wanted, store.operations))
    const names = providersOf(wanted)
    const config = configure(target, wanted, { ...parts, recorded, store: watched })
    const handle = await target.open(config)
    const charts = await target.charts?.(config)
    return {
      origin,
      basePath,
      handle,
      idOf: (name) => (names.includes(name) ? name : undefined),
      idps,
      rows: store.rows,
      network,
      plan,
      points,
      clock: ground.clock,
      mailbox: parts.mailbox,
      recorded,
      ...(target.tokens && { tokens: target.tokens }),
      ...(target.gates && { gates: target.gates }),
      ...(charts && { charts }),
      ...(target.operate && { operations: play(target.operate(config), playback) }),
      ...(playback && { playback }),
      save() {
        const steps = [saveRows(store.rows), ...Object.values(idps).map((idp) => idp.save())]
        const time = ground.clock.now()
        return () => {
          for (const step of steps) step()
          ground.clock.goTo(time)
          // From now on, the random values differ from all earlier ones.
          ground.reseed(salt + ++returns)
          playback?.forget()
          parts.mailbox.empty()
          network.forget()
          for (const entries of Object.values(recorded)) entries.length = 0
        }
      },
      another: (next, which) => openApplication(next, which === 'same' ? store : createStore()),
      async close() {
        restore()
        plan.end()
      },
    }
  }
  try {
    return await openApplication(setup, createStore())
  } catch (error) {
    restore()
    throw error
  }
}

/** The store replaces rows and never changes one. */
function saveRows(rows: Rows): () => void {
  const kept = copyRows(rows)
  return () => void Object.assign(rows, copyRows(kept))
}

function copyRows(rows: Rows): Rows {
  return {
    users: [...rows.users],
    accounts: [...rows.accounts],
    sessions: [...rows.sessions],
    links: [...rows.links],
    credentials: [...rows.credentials],
    passwords: [...rows.passwords],
    factors: [...rows.factors],
    records: [...rows.records],
  }
}

type Operation = (argument: never) => Promise<unknown>

/** Attributes the transitions of operations to them. */
function play(operations: Operations, playback: Playback | undefined): Operations {
  if (!playback) return operations
  const wrap = ([name, operation]: [string, Operation]): [string, Operation] => {
    const asked = { by: 'application', text: `${name}()` }
    const tell = () => 'a result'
    return [name, (argument) => playback.during(asked, () => operation(argument), tell)]
  }
  return Object.fromEntries(Object.entries(operations).map(wrap))
}

function storeOf({ store }: Setup, operations: ReturnType<typeof createStore>['operations']): object {
  if (store === 'silent') return withoutResults(operations)
  return store === 'numeric ids' ? withNumericIds(operations) : operations
}

/** Returns a fetch function for each origin; several providers may share an origin, each under its own path. */
function hostsOf(idps: readonly Idp[]): Map<string, typeof fetch> {
  const hosts = new Map<string, typeof fetch>()
  for (const { issuer, fetch: send } of idps) {
    const { origin: host } = new URL(issuer)
    const others = hosts.get(host)
    hosts.set(host, (input, init) => {
      const url = input instanceof Request ? input.url : String(input)
      return others && !url.startsWith(`${issuer}/`) ? others(input, init) : send(input, init)
    })
  }
  return hosts
}

function openIdp(name: RemoteName, { clock }: Ground, { idp }: Setup): Idp {
  return createIdp({
    issuer: issuers[name],
    clients: [{ id: `client-at-${name}`, secret: `secret-at-${name}-0123456789` }],
    users: usersOf(name),
    now: clock.now,
    // A server that only supports OAuth 2.0 has no issuer.
    ...(name === 'plain' && { metadata: { authorization_response_iss_parameter_supported: false } }),
    ...idp?.[name],
  })
}
