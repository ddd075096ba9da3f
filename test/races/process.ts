/** One of several processes that share a database. Handles the requests that it receives as messages. */
import { Password } from '../../src/password.ts'
import { describe, joinParent } from './join-parent.ts'

const [, , url = '', issuer] = process.argv
const { store, send, serve } = await joinParent(url)

serve({
  trustHost: true,
  secret: 'a secret of several processes that is long enough',
  adapter: store.adapter,
  session: { strategy: 'database', updateAge: 0 },
  providers: [
    { id: 'idp', name: 'Idp', type: 'oidc', issuer, clientId: 'client', clientSecret: 'client-secret' },
    {
      id: 'mail',
      name: 'Mail',
      type: 'email',
      sendVerificationRequest: ({ url: link }) => send({ kind: 'mail', url: link }),
    },
    Password({
      sendLink: ({ url: link }) => send({ kind: 'mail', url: link }),
      parameters: '$scrypt$ln=14,r=8,p=1',
    }),
  ],
  logger: {
    error: (error) => send({ kind: 'error', name: error.name, message: describe(error) }),
    warn() {},
    debug() {},
  },
})
