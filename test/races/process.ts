/** One of several processes that share a database. Handles the requests that it receives as messages. */
import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { kyselyAdapter } from '../../src/adapters/kysely.ts'
import { createHandler } from '../../src/handler/create-handler.ts'
import { createTokenReader } from '../../src/handler/get-access-token.ts'
import { platform } from '../../src/symbols.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import { pack, packAnswer, unpack, unpackAnswer, type Message } from './messages.ts'

const [, , url, issuer] = process.argv
const pool = new Pool({ connectionString: url, max: 8 })
pool.on('error', () => {})
const asked = new Map<number, (response: Response) => void>()
let questions = 0

const send = (message: Message) => void process.send?.(message)

/** The provider runs in the parent process. */
const askParent: typeof fetch = async (input, init) => {
  const id = (questions += 1)
  const answer = new Promise<Response>((resolve) => asked.set(id, resolve))
  send({ kind: 'fetch', id, request: await pack(new Request(input, init)) })
  return answer
}

const config: AuthConfig = {
  trustHost: true,
  secret: 'a secret of several processes that is long enough',
  adapter: kyselyAdapter(new Kysely({ dialect: new PostgresDialect({ pool }) })),
  session: { strategy: 'database', updateAge: 0 },
  providers: [
    { id: 'idp', name: 'Idp', type: 'oidc', issuer, clientId: 'client', clientSecret: 'client-secret' },
    {
      id: 'mail',
      name: 'Mail',
      type: 'email',
      sendVerificationRequest: ({ url: link }) => send({ kind: 'mail', url: link }),
    },
  ],
  logger: { error: (error) => send({ kind: 'error', message: describe(error) }), warn() {}, debug() {} },
  [platform]: { fetch: askParent },
}
const answer = createHandler()
const readToken = createTokenReader()

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { err } = (error.cause ?? {}) as { err?: unknown }
  return err === undefined ? error.message : `${error.message}: ${describe(err)}`
}

process.on('message', (message: Message) => {
  if (message.kind === 'request')
    void Promise.resolve(answer(unpack(message.request), config)).then(async (response) =>
      send({ kind: 'answer', id: message.id, answer: await packAnswer(response as Response) }),
    )
  if (message.kind === 'access-token')
    void readToken(config, { provider: 'idp', providerAccountId: message.providerAccountId })
      .catch(describe)
      .then((given) => send({ kind: 'token', id: message.id, text: JSON.stringify(given) }))
  if (message.kind === 'answer') asked.get(message.id)?.(unpackAnswer(message.answer))
  if (message.kind === 'end') void pool.end().then(() => process.disconnect())
})
send({ kind: 'ready' })
