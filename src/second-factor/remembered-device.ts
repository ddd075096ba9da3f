import type { CookieChange } from '../cookies/cookie.ts'
import type { Visit } from '../http/visit.ts'
import type { Keyring } from '../token/keyring.ts'
import type { FactorRecord } from './factor-record.ts'

/** Tells whether this browser was remembered for the user, since the user last enrolled or reset the password. */
export async function isRemembered(
  { userId, binding }: FactorRecord,
  visit: Visit,
  keys: Keyring,
  now: number,
): Promise<boolean> {
  const { name } = visit.cookieTable.rememberedDevice
  const held = visit.cookies.get(name)
  const opened = held ? await keys.open(held, { salt: name, now }) : undefined
  if (!opened || !('claims' in opened)) return false
  return opened.claims['userId'] === String(userId) && opened.claims['binding'] === binding
}

/** Remembers this browser for the user. */
export async function rememberDevice(
  { userId, binding }: FactorRecord,
  maxAge: number,
  visit: Visit,
  keys: Keyring,
  now: number,
): Promise<CookieChange[]> {
  const { name, options } = visit.cookieTable.rememberedDevice
  const value = await keys.seal({ userId: String(userId), binding }, { salt: name, maxAge, now })
  return [{ name, value, options, expires: new Date(now + maxAge * 1000) }]
}
