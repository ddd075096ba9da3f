import { serve } from 'srvx'
import { staticMiddleware } from 'srvx/static'
// @ts-ignore: written by `npm run build`
import entry from './dist/server/entry-server.js'

const port = Number(process.env.PORT ?? 3000)
serve({
  port,
  middleware: [staticMiddleware({ dir: './dist/client' })],
  fetch: (request) => entry.fetch(request),
})
