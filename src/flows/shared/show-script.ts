import { onceLoaded } from '../../async/once.ts'
import type { Visit } from '../../http/visit.ts'
import type { Result } from '../engine/result.ts'
import type { World } from '../engine/world.ts'

/** The script is the same for everyone, and its URL contains the version. */
const scriptHeaders = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'public, max-age=86400',
}

const loadScript = onceLoaded(() => import('#passkey-script'))

/** Returns the script of the sign-in page, if a provider needs it. */
export async function showScript(_visit: Visit, { settings }: World): Promise<Result> {
  if (![...settings.providers.values()].some(({ kind }) => kind === 'webauthn'))
    return { status: 404, private: true }
  const { passkeyScript } = await loadScript()
  return { status: 200, headers: scriptHeaders, body: passkeyScript }
}
