import type { OAuthContext } from '../oauth/context.ts'
import { version } from '../version.ts'
import type { World } from './world.ts'

/** What calls at a provider take from the world of a run. */
export function oauthContext({ platform }: World): OAuthContext {
  return { platform, version }
}
