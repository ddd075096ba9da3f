/** A process of a site with two gates: an invitation that works once, and terms of service. */
import { Pool } from 'pg'
import { invitation } from '../../docs/examples/features/invitation.ts'
import { phone } from '../../docs/examples/features/phone.ts'
import { terms } from '../../docs/examples/features/terms.ts'
import { Password } from '../../src/password.ts'
import type { EmailConfig } from '../../src/types/provider.ts'
import { describe, joinParent } from './join-parent.ts'

const [, , url = '', issuer] = process.argv
const { store, send, serve } = await joinParent(url)
const invitations = new Pool({ connectionString: url, max: 4, allowExitOnIdle: true })
invitations.on('error', () => {})

const report = (to: string, { token = '', url: link = '' }) => send({ kind: 'message', to, token, url: link })

const mailProvider = (id: string, more: Partial<EmailConfig>): EmailConfig => ({
  id,
  name: id,
  type: 'email',
  sendVerificationRequest: (mail) => report(mail.identifier, mail),
  ...more,
})

serve({
  trustHost: true,
  secret: 'a secret of several processes that is long enough',
  adapter: store.adapter,
  session: { strategy: 'database' },
  callbacks: { session: ({ session, user }) => ({ ...session, user: { ...session.user, id: user.id } }) },
  providers: [
    { id: 'idp', name: 'Idp', type: 'oidc', issuer, clientId: 'client', clientSecret: 'client-secret' },
    mailProvider('mail', {}),
    mailProvider('code', { method: 'code' }),
    Password({
      sendLink: ({ identifier, url: link }) => report(identifier, { url: link }),
      parameters: '$scrypt$ln=4,r=8,p=1',
    }),
  ],
  features: [
    invitation({
      async use(code) {
        const { rowCount } = await invitations.query('delete from invitations where code = $1', [code])
        return rowCount === 1
      },
      async giveBack(code) {
        await invitations.query('insert into invitations values ($1)', [code])
      },
    }),
    terms({ version: '2026-11', url: '/terms' }),
    phone({ send: async ({ to, code }) => report(to, { token: code }) }),
  ],
  logger: {
    error: (error) => send({ kind: 'error', name: error.name, message: describe(error) }),
    warn() {},
    debug() {},
  },
})
