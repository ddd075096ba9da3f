import type { CookieChange } from '../cookies/cookie.ts'
import type { Visit } from '../http/visit.ts'
import type { Keyring } from '../token/keyring.ts'
import type { FactorRecord } from './factor-record.ts'

/** Tells whether this browser was remembered for the user, and no change to the account has ended that. */
export async function isRemembered(
  { userId, binding }: FactorRecord,
  stamp: string | null,
  visit: Visit,
  keys: Keyring,
  now: number,
): Promise<boolean> {
  const { name } = visit.cookieTable.rememberedDevice
  const held = visit.cookies.get(name)
  const opened = held ? await keys.open(held, { salt: name, now }) : undefined
  if (!opened || !('claims' in opened)) return false
  const { claims } = opened
  return (
    claims['userId'] === String(userId) &&
    claims['binding'] === binding &&
    // Absent without a stamp, as in cookies of earlier versions.
    (claims['stamp'] ?? null) === stamp
  )
}

/** Remembers this browser for the user. */
export async function rememberDevice(
  { userId, binding }: FactorRecord,
  stamp: string | null,
  maxAge: number,
  visit: Visit,
  keys: Keyring,
  now: number,
): Promise<CookieChange[]> {
  const { name, options } = visit.cookieTable.rememberedDevice
  const value = await keys.seal(
    { userId: String(userId), binding, stamp: stamp ?? undefined },
    { salt: name, maxAge, now },
  )
  return [{ name, value, options, expires: new Date(now + maxAge * 1000) }]
}
