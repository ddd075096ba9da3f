import type { Keyring } from '../token/keyring.ts'

/** A secret that the user has not confirmed yet. The form contains it sealed. */
export interface FactorSetup {
  readonly userId: string
  /** In base32. */
  readonly secret: string
}

/** The purpose of the key. */
const salt = 'authmachine.factor-setup'
/** Seconds within which the first code must be entered. */
const maxAge = 900

/** Seals the secret for the form. */
export async function sealSetup(
  { userId, secret }: FactorSetup,
  keys: Keyring,
  now: number,
): Promise<string> {
  return keys.seal({ userId: String(userId), secret }, { salt, maxAge, now })
}

/** Opens the secret of a form, which must be one of this user. */
export async function readSetup(
  sealed: unknown,
  userId: string,
  keys: Keyring,
  now: number,
): Promise<FactorSetup | undefined> {
  const opened = typeof sealed === 'string' ? await keys.open(sealed, { salt, now }) : undefined
  if (!opened || !('claims' in opened)) return undefined
  const { userId: owner, secret } = opened.claims
  return owner === String(userId) && typeof secret === 'string' ? { userId, secret } : undefined
}
