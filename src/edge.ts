export { createEdgeAuth } from './instance/create-edge-auth.ts'
export type { SessionReader } from './types/instance.ts'
