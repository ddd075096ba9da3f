import { systemPlatform } from '../../src/clock.ts'
import { createKeyring } from '../../src/token/create-keyring.ts'
import { secret, type App } from './app.ts'

const keys = createKeyring([secret], systemPlatform)

/** What a value of the app's was sealed over; why it does not open, if it does not. */
export async function reveal(app: App, token: string, salt: string): Promise<unknown> {
  const opened = await keys.open(token, { salt, now: app.clock.now() })
  return 'claims' in opened ? opened.claims : opened.refused
}

/** A value that the app takes for its own, as somebody makes it who holds the secret. */
export async function seal(app: App, claims: Record<string, unknown>, salt: string): Promise<string> {
  return keys.seal(claims, { salt, maxAge: 900, now: app.clock.now() })
}
