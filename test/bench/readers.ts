import { createAuth } from '../../src/index.ts'
import type { Adapter } from '../../src/types/adapter.ts'
import * as app from './application.ts'
import { ours } from './contestants.ts'

export type Read = () => unknown

const sessionToken = 'f'.repeat(64)
const url = `${app.origin}/account?tab=profile`
const ask = (session?: string) =>
  new Request(url, {
    headers: {
      cookie:
        session === undefined ? app.heldCookies : `${app.heldCookies}; ${app.cookies.session}=${session}`,
    },
  })

/**
 * Opens `getSession` of this library, for requests that exist already: the application was called with them. `watch`
 * wraps the store, to count its calls.
 */
export async function openReaders(
  watch = (adapter: Adapter) => adapter,
): Promise<Record<'decode' | 'JWT' | 'none' | 'store' | 'adapter', Read>> {
  const token = await ours.encode({ token: app.claims, secret: app.secret, salt: app.cookies.session })
  const config = app.configure()
  const adapter = watch(app.storeOneSession(sessionToken))
  const auth = createAuth(config)
  const stored = createAuth({ ...config, providers: config.providers.slice(0, 1), adapter })
  const [signedIn, anonymous, held] = [ask(token), ask(), ask(sessionToken)]
  return {
    decode: () => ours.decode({ token, secret: app.secret, salt: app.cookies.session }),
    JWT: () => auth.getSession(signedIn),
    none: () => auth.getSession(anonymous),
    store: () => stored.getSession(held),
    adapter: () => adapter.getSessionAndUser?.(sessionToken),
  }
}
