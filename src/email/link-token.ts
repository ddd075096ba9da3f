import type { EmailSettings, Settings } from '../config/settings.ts'
import { sha256Hex } from '../crypto/hash.ts'
import type { MaybePromise } from '../crypto/maybe-promise.ts'
import { randomHex } from '../crypto/random.ts'

/** A token that only the mailed link carries: the provider's own, or 32 random bytes in hex. */
export async function mintLinkToken({ config }: EmailSettings, { platform }: Settings): Promise<string> {
  const token = (await config.generateVerificationToken?.()) ?? randomHex(platform.randomBytes)
  if (typeof token === 'string' && token !== '') return token
  throw new TypeError('generateVerificationToken has to answer a non-empty string')
}

/**
 * The hashes under which the store may know a token, one for each secret, the newest first. With several e-mail
 * providers the hash covers the provider too, so that none takes another's links (decision 5).
 */
export function hashesOf(token: string, provider: EmailSettings, settings: Settings): MaybePromise<string>[] {
  const own = provider.config.secret
  const secrets = own ? [own] : settings.secrets
  const kinds = [...settings.providers.values()].filter(({ kind }) => kind === 'email')
  const scope = kinds.length > 1 ? `:${provider.id}` : ''
  return secrets.map((secret) => sha256Hex(`${token}${secret}${scope}`))
}
