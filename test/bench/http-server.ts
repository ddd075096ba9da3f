/**
 * A session server for `npm run bench -- http`, selected by the name of a contestant. Prints its address and the cookie
 * to send.
 */
import { createServer } from 'node:http'
import { createRequestListener } from '@remix-run/node-fetch-server'
import { openServers } from './servers.ts'

const name = process.argv[2] ?? ''
const { handle, path, cookie } = await openServers(name)
const listener = createRequestListener(handle, { host: 'app.test', protocol: 'https:' })
const server = createServer(listener).listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}${path}`, cookie }))
})
