import type { EmailSettings } from '../config/settings.ts'
import { canonicaliseAddress } from './canonical-address.ts'

/**
 * An address in the form under which one provider knows it: by the provider's own `normalizeIdentifier`, or the one form
 * of all addresses. Undefined for what is none; a normaliser that throws refuses.
 */
export function normaliseFor({ config }: EmailSettings, raw: unknown): string | undefined {
  if (typeof raw !== 'string' || raw === '') return undefined
  if (!config.normalizeIdentifier) return canonicaliseAddress(raw)
  try {
    const own: unknown = config.normalizeIdentifier(raw)
    return typeof own === 'string' && own !== '' ? own : undefined
  } catch {
    return undefined
  }
}
