/** A site whose users, sessions and mailed links are in Redis. Several processes of it serve one site. */
import { createServer } from 'node:http'
import { createClient } from 'redis'
import { redisAdapter } from '../../../src/adapters/redis.ts'
import { createAuth } from '../../../src/instance/create-auth.ts'
import { createNodeAuth } from '../../../src/node.ts'
import Nodemailer from '../../../src/providers/nodemailer.ts'

const client = createClient({ url: process.env['REDIS_URL'] })
client.on('error', console.error)
await client.connect()
const auth = createAuth({
  adapter: redisAdapter(client),
  providers: [
    { id: 'demo', name: 'Demo ID', type: 'oidc' },
    Nodemailer({ server: process.env['SMTP_URL'], from: 'site@example.com' }),
  ],
})
const port = Number(process.env['PORT'])
const { handler } = createNodeAuth(auth)
createServer((incoming, outgoing) => void handler(incoming, outgoing)).listen(port, '127.0.0.1', () =>
  console.log(`listens on :${port}`),
)
