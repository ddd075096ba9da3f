import { Password } from '../../../src/password.ts'
import Passkey from '../../../src/providers/passkey.ts'
import type { AccountChange } from '../../../src/types/account-notice.ts'
import type { AuthConfig } from '../../../src/types/config.ts'
import type { RevocationStore } from '../../../src/types/revocation.ts'
import { issuer } from '../app.ts'
import { mailProvider } from '../mail.ts'
import { parameters } from '../passwords.ts'
import { withFactor } from '../second-factor.ts'
import { keepingFeatures } from './kept-by-features.ts'

export type Strategy = 'database' | 'jwt-stored'

/** A mail of the site. */
export interface Sent {
  readonly list: 'mails' | 'passwordMails' | 'changes' | 'notices'
  /** The URL of a link; empty in other mails. */
  readonly url: string
  /** The token of a link, or a code to type; empty in other mails. */
  readonly token: string
  /** The change that a notice reports. */
  readonly change?: AccountChange
  /** The address to which a notice goes. */
  readonly to?: string
}

const client = { type: 'oidc', issuer, clientId: 'client', clientSecret: 'client-secret' } as const

/** A site with every feature. `send` gets its mails, and `revocations` ends its tokens. */
export function siteConfig(
  strategy: Strategy,
  revocations: RevocationStore,
  send: (sent: Sent) => void,
): Partial<AuthConfig> & Pick<AuthConfig, 'providers'> {
  const sendVerificationRequest = ({ url, token }: Pick<Sent, 'url' | 'token'>) =>
    send({ list: 'mails', url, token })
  return {
    ...withFactor({ rememberFor: 86_400 }),
    accountPage: true,
    features: keepingFeatures,
    experimental: { enableWebAuthn: true },
    ...(strategy !== 'database' && { jwt: { revocations } }),
    emailChange: { sendLink: ({ url }) => send({ list: 'changes', url, token: '' }), sendNotice() {} },
    sendNotice: ({ change, to }) => send({ list: 'notices', url: '', token: '', change, to }),
    providers: [
      Passkey(),
      { id: 'idp', name: 'Idp', ...client, backChannelLogout: true },
      { id: 'second', name: 'Second', ...client, allowDangerousEmailAccountLinking: true },
      mailProvider([], { sendVerificationRequest }),
      mailProvider([], { sendVerificationRequest, id: 'code', name: 'Code', method: 'code' }),
      Password({ sendLink: ({ url }) => send({ list: 'passwordMails', url, token: '' }), parameters }),
    ],
  }
}

/** What the provider of the site knows. */
export const siteProvider = {
  clients: [{ id: 'client', secret: 'client-secret' }],
  users: ['ada', 'bob'].map((sub) => ({ sub, claims: { email: `${sub}@example.com` } })),
}
