export type { NodeOptions, NodeRequest } from './node/bridge.ts'
export { createFastifyAuth, type FastifyAuth } from './node/fastify.ts'
export { createNodeAuth, type NodeAuth } from './node/node-auth.ts'
