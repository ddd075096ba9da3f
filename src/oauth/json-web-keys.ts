import type { JSONWebKeySet, JWTVerifyGetKey, LocalJWKSet } from 'jose'
import { JWKSNoMatchingKey } from 'jose/errors'
import type { OAuthSettings } from '../config/settings.ts'
import { loadJose } from '../crypto/load-jose.ts'
import type { OAuthContext } from './context.ts'
import { outboundFetch } from './outbound-fetch.ts'
import { cacheByFetch } from './provider-cache.ts'
import { readJson, UnusableAnswer } from './read-json.ts'

/** A key set as it was fetched, and when it may be fetched again for a key that it lacks. */
interface KeySet {
  readonly find: LocalJWKSet
  /** Milliseconds since 1970. */
  readonly renewableFrom: number
}

/** A key that the issuer has withdrawn is refused at the latest after this time. */
const keySets = cacheByFetch<KeySet>({ lifetime: 10 * 60 * 1000, entries: 100 })

/** Milliseconds between two renewals for unknown keys. */
const cooldown = 30_000

/**
 * Finds the key for a signature in the key set at a URL, which is fetched once and kept for ten minutes. A key that is
 * not there causes one renewal, which sees a rotation at once, and then none for half a minute (OI-11). Nothing but `kid`
 * and `alg` of the header is looked at (OI-10).
 */
export function findKey(uri: string, provider: OAuthSettings, context: OAuthContext): JWTVerifyGetKey {
  const cache = keySets(provider, context)
  const key = JSON.stringify([uri, provider.allowInsecureRequests])
  const now = context.platform.now()
  const load = async (renewableFrom: number) => {
    const response = await outboundFetch(provider, context)(uri)
    return { find: await judgeKeySet(response), renewableFrom }
  }
  return async (header, token) => {
    const held = await cache.read(key, () => load(now))
    try {
      return await held.find(header, token)
    } catch (error) {
      if (!(error instanceof JWKSNoMatchingKey) || now < held.renewableFrom) throw error
      const renewed = await cache.renew(key, held, () => load(now + cooldown))
      return renewed.find(header, token)
    }
  }
}

async function judgeKeySet(response: Response): Promise<LocalJWKSet> {
  if (response.status !== 200)
    throw new UnusableAnswer(`expected keys with status 200, and ${response.status} came`)
  const { createLocalJWKSet } = await loadJose()
  return createLocalJWKSet((await readJson(response)) as unknown as JSONWebKeySet)
}
