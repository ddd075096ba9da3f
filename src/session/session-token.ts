import type { Settings } from '../config/settings.ts'
import { whenReady, type MaybePromise } from '../crypto/maybe-promise.ts'
import { tokenLifetime } from './lifetime.ts'
import type { Claims, Keyring, Opened, Refusal } from '../token/keyring.ts'
import type { JWT } from '../types/jwt.ts'

type TokenSettings = Pick<Settings, 'jwt' | 'session'>

/** Claims of a session token, or why it does not open. No clock skew is allowed (decision 24). */
export function openSessionToken(
  value: string,
  salt: string,
  { jwt }: TokenSettings,
  keys: Keyring,
  now: number,
): MaybePromise<{ readonly claims: JWT } | { readonly refused: Refusal }> {
  const opened = jwt.decode
    ? decodeWith(jwt.decode, value, salt, jwt.secrets)
    : keys.open(value, { salt, now })
  const { audience } = jwt
  if (audience === undefined) return opened
  return whenReady<Opened, Opened>(opened, (answer) =>
    'claims' in answer && answer.claims['aud'] !== audience ? { refused: 'other-audience' } : answer,
  )
}

/** The user's own decoder; what it throws counts as a token that does not open. */
async function decodeWith(
  decode: NonNullable<Settings['jwt']['decode']>,
  token: string,
  salt: string,
  secrets: readonly string[],
): Promise<{ readonly claims: JWT } | { readonly refused: Refusal }> {
  try {
    const claims = await decode({ token, salt, secret: oneOrAll(secrets) })
    return claims ? { claims } : { refused: 'malformed' }
  } catch {
    return { refused: 'forged' }
  }
}

/** What a jwt callback answered: claims, or null for no session. @throws TypeError for anything else */
export function readAnswer(answer: unknown): JWT | null {
  if (typeof answer === 'object') return answer as JWT | null
  throw new TypeError(`The jwt callback answers an object or null, not ${typeof answer}`)
}

/** Seals the claims of a session token, which expires `jwt.maxAge` seconds from now, or when its sign-in chose. */
export function sealSessionToken(
  claims: Claims,
  salt: string,
  settings: TokenSettings,
  keys: Keyring,
  now: number,
): MaybePromise<string> {
  const { jwt } = settings
  const maxAge = tokenLifetime(claims, settings)
  const named = jwt.audience === undefined ? claims : { ...claims, aud: jwt.audience }
  if (!jwt.encode) return keys.seal(named, { salt, maxAge, now })
  const encoded = jwt.encode({ token: named, salt, maxAge, secret: oneOrAll(jwt.secrets) })
  return whenReady(encoded instanceof Promise ? encoded : Promise.resolve(encoded), demandText)
}

function demandText(token: unknown): string {
  if (typeof token === 'string' && token !== '') return token
  throw new TypeError('jwt.encode has to answer a non-empty string')
}

function oneOrAll(secrets: readonly string[]): string | string[] {
  return secrets.length === 1 && secrets[0] !== undefined ? secrets[0] : [...secrets]
}

/** When a session token that is sealed now expires: whole seconds, as its `exp` claim. */
export function tokenExpiry(claims: Claims, now: number, settings: TokenSettings): Date {
  return new Date((Math.floor(now / 1000) + tokenLifetime(claims, settings)) * 1000)
}
