/**
 * The library with its inside open, for `authmachine-conformance` and nothing else: versions of one package need the same
 * version of the other. Not covered by semantic versioning.
 */
export { nameHop, readHop } from '../machines/hop.ts'
export { systemPlatform } from './clock.ts'
export { once } from './crypto/once.ts'
export { randomBytes, randomHex } from './crypto/random.ts'
export type { Flow } from './flows/flow.ts'
export { createHandler } from './handler/create-handler.ts'
export type { Flows } from './handler/find-flow.ts'
export { flows } from './handler/flows.ts'
export { escapeControls, escapeLines } from './markup/escape-controls.ts'
export { routes } from './routes/routes.ts'
export { platform } from './symbols.ts'
export { createKeyring } from './token/create-keyring.ts'
export { requireSecrets } from './token/secrets.ts'
export type { Awaitable } from './types/records.ts'
export type { Platform } from './types/config.ts'
export { version } from './version.ts'
