import { systemPlatform } from '../../src/platform/clock.ts'
import { createKeyring } from '../../src/token/keyring.ts'
import { secret, type App } from './app.ts'

const keys = createKeyring([secret], systemPlatform)

/** Decrypts a value of the application. @returns its claims, or why it cannot be decrypted */
export async function reveal(app: App, token: string, salt: string): Promise<unknown> {
  const opened = await keys.open(token, { salt, now: app.clock.now() })
  return 'claims' in opened ? opened.claims : opened.refused
}

/** Seals a value as the application does, with its secret. */
export async function seal(app: App, claims: Record<string, unknown>, salt: string): Promise<string> {
  return keys.seal(claims, { salt, maxAge: 900, now: app.clock.now() })
}
