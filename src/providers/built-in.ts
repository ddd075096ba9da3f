import type { Provider } from '../types/provider.ts'
import type { ProviderType } from '../types/records.ts'
import type Apple from './apple.ts'
import type Auth0 from './auth0.ts'
import type Credentials from './credentials.ts'
import type Email from './email.ts'
import type ForwardEmail from './forwardemail.ts'
import type GitHub from './github.ts'
import type Google from './google.ts'
import type Keycloak from './keycloak.ts'
import type Loops from './loops.ts'
import type MailGun from './mailgun.ts'
import type MicrosoftEntraID from './microsoft-entra-id.ts'
import type Nodemailer from './nodemailer.ts'
import type Passkey from './passkey.ts'
import type Postmark from './postmark.ts'
import type Resend from './resend.ts'
import type SendGrid from './sendgrid.ts'
import type WebAuthn from './webauthn.ts'

/** The presets, by the name of their module. */
export interface BuiltInProviders {
  apple: typeof Apple
  auth0: typeof Auth0
  credentials: typeof Credentials
  email: typeof Email
  forwardemail: typeof ForwardEmail
  github: typeof GitHub
  google: typeof Google
  keycloak: typeof Keycloak
  loops: typeof Loops
  mailgun: typeof MailGun
  'microsoft-entra-id': typeof MicrosoftEntraID
  nodemailer: typeof Nodemailer
  passkey: typeof Passkey
  postmark: typeof Postmark
  resend: typeof Resend
  sendgrid: typeof SendGrid
  webauthn: typeof WebAuthn
}

type IdOf<Type extends ProviderType> = {
  [Id in keyof BuiltInProviders]: ReturnType<BuiltInProviders[Id]> extends { type: Type } ? Id : never
}[keyof BuiltInProviders]

export type OAuthProviderId = IdOf<'oauth' | 'oidc'>
export type EmailProviderId = IdOf<'email'>

/** The id of a provider: one of the presets', or of your own. */
export type ProviderId = keyof BuiltInProviders | (string & {})

/** All providers of a configuration. */
export type AppProviders = Provider[]
