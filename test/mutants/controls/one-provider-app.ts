/**
 * An application that signs in by one provider, with mutants in its library:
 * `node one-provider-app.ts <port of the oracle's first provider> <edits as JSON>`.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { editSources, type SourceEdit } from '../edit.ts'

const [world = '4010', edits = '[]'] = process.argv.slice(2)
// `run-http.ts` wrote them.
editSources(JSON.parse(edits) as SourceEdit[])

const [{ createAuth }, { createNodeAuth }] = await Promise.all([
  import('../../../src/index.ts'),
  import('../../../src/node.ts'),
])

const { handler } = createNodeAuth(
  createAuth({
    trustHost: true,
    secret: 'the secret of the application, which is long enough',
    logger: { error() {}, warn() {}, debug() {} },
    providers: [
      {
        id: 'alpha',
        name: 'Alpha',
        type: 'oidc',
        issuer: `http://127.0.0.1:${world}`,
        clientId: 'client-at-alpha',
        clientSecret: 'secret-at-alpha-0123456789',
      },
    ],
  }),
)
const server = createServer((request, response) => void handler(request, response))
server.listen(0, 'localhost', () => {
  const { port } = server.address() as AddressInfo
  console.log(`http://localhost:${port}/auth`)
})
