/**
 * Internals of the library, for `authmachine-conformance` only. Each version of one package needs the same version of
 * the other. Not covered by semantic versioning.
 */
import { byId } from '../machines/by-id.ts'
import { once } from './async/once.ts'
import { addGates } from './extend/gates.ts'
import * as ofFeatures from './features/flows.ts'
import * as all from './flows/all-flows.ts'
import type { Flow } from './flows/engine/flow.ts'
import type { Flows } from './flows/flows.ts'
import type { Feature } from './types/feature.ts'

export { fetchLimited, readLimited } from './platform/fetch-limited.ts'
export type { BrokenRule, Frame, Participant, Recording, Stop } from './tools/explorer/data.ts'
export { nameHop, readHop } from '../machines/hop.ts'
export { systemPlatform } from './platform/clock.ts'
export { randomBytes, randomHex } from './crypto/random.ts'
export type { Flow } from './flows/engine/flow.ts'
export { routes, type Flows } from './flows/flows.ts'
export type { Hop } from './flows/engine/run.ts'
export { createHandler } from './handler/create-handler.ts'
export { createTokenReader } from './handler/get-access-token.ts'
export { deleteUser, revokeSessions } from './handler/manage-sessions.ts'
export { serveSessions } from './handler/serve-sessions.ts'
export { escapeControls, escapeLines } from './text/escape-controls.ts'
export { platform } from './types/symbols.ts'
export { createKeyring } from './token/keyring.ts'
export { requireSecrets } from './token/derive-keys.ts'
export type { Awaitable } from './types/records.ts'
export type { Platform } from './types/config.ts'
export { version } from './platform/version.ts'

export { once }

/** The names of the flows of optional features, to whose routes their heads lead. */
export const optionalFlows: ReadonlySet<string> = new Set(Object.keys(byId(ofFeatures)))

/** All flows, by name. */
export const flows: Flows = byId(all)

/** Returns the flows of a configuration with these features: those of the library, with the gates. */
export function flowsOf(features: readonly Feature[]): readonly Flow[] {
  return Object.values<Flow>(flows).map((flow) => addGates(flow, { features }))
}

/** Loads the flow explorer, which is large. */
export const loadExplorer = once(() => import('./tools/explorer/write-explorer.ts'))
