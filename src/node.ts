export type { NodeOptions, NodeRequest } from './integrations/node/read-request.ts'
export { createFastifyAuth, type FastifyAuth } from './integrations/node/fastify.ts'
export { createNodeAuth, type NodeAuth } from './integrations/node/node-auth.ts'
