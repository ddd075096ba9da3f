import { memoryAdapter } from '../../src/adapters/memory.ts'
import { listOptional } from '../../src/features/all.ts'
import { Password } from '../../src/password.ts'
import Passkey from '../../src/providers/passkey.ts'
import { totp } from '../../src/second-factor.ts'
import { deriveSettings } from '../../src/config/derive-settings.ts'
import type { Feature } from '../../src/types/feature.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import type { EmailConfig } from '../../src/types/provider.ts'

/** The provider whose passwords an optional feature sets. */
export const passwordProvider = Password({ sendLink: () => undefined })

/** The provider whose sign-ins an optional feature handles. */
export const codeProvider: EmailConfig = {
  id: 'code',
  name: 'Code',
  type: 'email',
  method: 'code',
  sendVerificationRequest: () => undefined,
}

/** The provider whose passkeys an optional feature registers. */
export const passkeyProvider = Passkey()

/** A configuration that turns on every optional feature. */
const config: AuthConfig = {
  secret: 'a secret of the tests, long enough',
  trustHost: true,
  providers: [
    {
      id: 'idp',
      name: 'Idp',
      type: 'oidc',
      issuer: 'https://idp.test',
      clientId: 'client',
      clientSecret: 'client-secret',
      backChannelLogout: true,
    },
    passwordProvider,
    codeProvider,
    passkeyProvider,
  ],
  jwt: { revocations: { find: () => [], add: () => undefined } },
  accountPage: true,
  adapter: memoryAdapter(),
  emailChange: { sendLink: () => undefined, sendNotice: () => undefined },
  secondFactor: totp({ issuer: 'Example' }),
}

/** A path below the base path, without the provider that follows it. */
interface Place {
  readonly method: 'GET' | 'POST'
  readonly action: string
  readonly takesProvider: boolean
}

/** Lists the routes of the optional features. */
export function listOptionalRoutes(): readonly Place[] {
  return everyFeature().flatMap(({ routes = {} }) =>
    Object.entries(routes).flatMap(([action, { methods, providers }]) =>
      methods.map((method) => ({ method, action, takesProvider: providers !== undefined })),
    ),
  )
}

/** Returns the optional features of the library, with these texts. */
export function everyFeature(texts: AuthConfig['texts'] = {}): readonly Feature[] {
  return listOptional(deriveSettings({ ...config, texts }, {}))
}
