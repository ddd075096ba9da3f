export { createEdgeAuth } from './create-edge-auth.ts'
export type { SessionReader } from './types/instance.ts'
