import { systemPlatform } from './clock.ts'
import { environmentSecrets, readEnvironment } from './config/environment.ts'
import { JWTSessionError } from './errors.ts'
import { createKeyring } from './token/create-keyring.ts'
import { findToken } from './token/find-token.ts'
import type { Claims, Opened } from './token/keyring.ts'
import { requireSecrets } from './token/secrets.ts'
import type { LoggerInstance } from './types/config.ts'
import type { JWT, JWTDecodeParams, JWTEncodeParams, JWTOptions, SecretOption } from './types/jwt.ts'

export * from './types/jwt.ts'

/** Seconds by which clocks may differ. */
const tolerance = 15

const defaultMaxAge = 30 * 24 * 60 * 60

/**
 * Seals a payload into a token that only the holder of the secret can read or make (JWE, `dir`, A256CBC-HS512), with
 * `iat`, `exp` and `jti` set anew. What JSON cannot say vanishes; dates become ISO strings.
 *
 * @throws MissingSecret without a secret; TypeError or RangeError for a payload that is not JSON or makes a token over
 * 64 KiB, and for a maxAge that is not finite
 */
export async function encode<Payload = JWT>(
  params: Omit<JWTEncodeParams<Payload>, 'secret'> & SecretOption,
): Promise<string> {
  const { token = {}, salt, maxAge = defaultMaxAge } = params
  if (!isClaims(token)) throw new TypeError('The token to encode must be an object')
  return createKeyring(findSecrets(params.secret), systemPlatform).seal(token, {
    salt,
    maxAge,
    now: systemPlatform.now(),
  })
}

/**
 * The payload of a token made by {@link encode} with the same salt and any of the secrets, or null for everything
 * else, including what has expired more than 15 seconds ago.
 *
 * @throws MissingSecret when there is a token to open and no secret
 */
export async function decode<Payload = JWT>(
  params: Omit<JWTDecodeParams, 'secret'> & SecretOption,
): Promise<Payload | null> {
  const { token, secret, salt } = params
  if (typeof token !== 'string' || token === '') return null
  const opened = await openToken(token, secret, salt)
  return 'claims' in opened ? (opened.claims as Payload) : null
}

/** Where the token is, and how it is opened. */
export interface GetTokenParams<R extends boolean = false> {
  /** Carries the token in its cookies, or as `Authorization: Bearer`. */
  req: Request | { headers: Headers | Record<string, string> }
  /**
   * Look for the cookie with the `__Secure-` prefix.
   *
   * @default whether `AUTH_URL` (then `NEXTAUTH_URL`) is an https URL
   */
  secureCookie?: boolean
  /** @default '__Secure-authjs.session-token' or 'authjs.session-token' */
  cookieName?: string
  /** The token as it came, unopened and unchecked. @default false */
  raw?: R
  /** With an array, the one that opens the token is used. @default the `AUTH_SECRET` environment variable */
  secret?: string | readonly string[]
  /** @default the name of the cookie */
  salt?: string
  /** `jwt.audience` of the configuration: a token that names another one, or none, counts as none. @default any */
  audience?: string
  /** In place of {@link decode}. */
  decode?: JWTOptions['decode']
  /** Told why a token was refused (`debug`), and of errors of `decode` (`error`). */
  logger?: LoggerInstance | Console
}

/**
 * The session token's payload of a request, or with `raw` the token itself; null when there is none that counts.
 *
 * @throws Error without a request, MissingSecret when there is a token to open and no secret
 *
 * @example const token = await getToken({ req: request })
 */
export function getToken<R extends boolean = false>(
  params: GetTokenParams<R>,
): Promise<R extends true ? string | null : JWT | null>
export async function getToken(params: GetTokenParams<boolean>): Promise<string | JWT | null> {
  if (!params.req?.headers) throw new Error('Must pass `req` to JWT getToken()')
  const { secureCookie = isSecureSite() } = params
  const { cookieName = `${secureCookie ? '__Secure-' : ''}authjs.session-token` } = params
  const token = findToken(params.req.headers, cookieName)
  if (!token) return null
  if (params.raw) return token
  const claims = await readToken(token, params, params.salt ?? cookieName)
  return params.audience === undefined || claims?.['aud'] === params.audience ? claims : null
}

async function readToken(
  token: string,
  { secret, decode: customDecode, logger }: GetTokenParams<boolean>,
  salt: string,
): Promise<JWT | null> {
  if (customDecode) {
    const [first, ...others] = findSecrets(secret)
    try {
      return await customDecode({ token, secret: others.length === 0 ? first : [first, ...others], salt })
    } catch (error) {
      logger?.error(new JWTSessionError(error instanceof Error ? error : String(error)))
      return null
    }
  }
  const opened = await openToken(token, secret, salt)
  if ('claims' in opened) return opened.claims
  logger?.debug('The token was refused', { reason: opened.refused })
  return null
}

async function openToken(token: string, secret: SecretOption['secret'], salt: string): Promise<Opened> {
  const keyring = createKeyring(findSecrets(secret), systemPlatform)
  return keyring.open(token, { salt, now: systemPlatform.now(), tolerance })
}

function findSecrets(secret: SecretOption['secret']): readonly [string, ...string[]] {
  return requireSecrets(secret ?? environmentSecrets(readEnvironment()))
}

function isSecureSite(): boolean {
  const environment = readEnvironment()
  return /^https:/i.test(environment['AUTH_URL'] || environment['NEXTAUTH_URL'] || '')
}

function isClaims(token: unknown): token is Claims {
  return typeof token === 'object' && token !== null && !Array.isArray(token)
}
