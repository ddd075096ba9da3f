import { asError } from '../errors/as-error.ts'
import { systemPlatform } from '../platform/clock.ts'
import { environmentSecrets, readEnvironment } from '../config/environment.ts'
import { JWTSessionError } from '../errors/classes.ts'
import type { Claims, Opened } from './decrypt-token.ts'
import { createKeyring } from './keyring.ts'
import { findTokens } from './find-token.ts'
import { requireSecrets } from './derive-keys.ts'
import type { LoggerInstance } from '../types/logger.ts'
import type {
  JWT,
  JWTDecodeParams,
  JWTEncodeParams,
  JWTOptions,
  LegacyOption,
  SecretOption,
} from '../types/jwt.ts'

/** Allowed clock skew in seconds. */
const tolerance = 15

const defaultMaxAge = 30 * 24 * 60 * 60

/**
 * Encrypts a payload into a token that only holders of the secret can read or create (JWE, `dir`, A256CBC-HS512). Sets
 * `iat`, `exp` and `jti`. Values without a JSON form are dropped, and dates become ISO strings.
 *
 * @param params the payload, the secret, the salt, and the lifetime in seconds
 * @returns the token
 * @throws MissingSecret without a secret
 * @throws TypeError, RangeError if the payload is not JSON, the token would exceed 64 KiB, or `maxAge` is not finite
 * @example
 * const token = await encode({ token: { sub: user.id }, salt: 'api', maxAge: 600 })
 */
export async function encode<Payload = JWT>(
  params: Omit<JWTEncodeParams<Payload>, 'secret'> & SecretOption,
): Promise<string> {
  const { token = {}, salt, maxAge = defaultMaxAge } = params
  if (!isClaims(token)) throw new TypeError('`token` must be an object')
  return createKeyring(findSecrets(params.secret), systemPlatform).seal(token, {
    salt,
    maxAge,
    now: systemPlatform.now(),
  })
}

/**
 * Decrypts a token made by {@link encode} with the same salt and one of the secrets. Returns its payload, or null if
 * the token is invalid or expired more than 15 seconds ago.
 *
 * @param params the token, the secret, and the salt it was encrypted with
 * @returns the payload, or null
 * @throws MissingSecret if there is a token to decrypt and no secret
 * @throws TypeError if there is a token to decrypt and `acceptLegacyTokens` is not a valid date
 * @example
 * const payload = await decode<{ sub: string }>({ token, salt: 'api' })
 */
export async function decode<Payload = JWT>(
  params: Omit<JWTDecodeParams, 'secret'> & SecretOption & LegacyOption,
): Promise<Payload | null> {
  const { token, salt } = params
  if (typeof token !== 'string' || token === '') return null
  const opened = await openToken(token, params, salt)
  return 'claims' in opened ? (opened.claims as Payload) : null
}

/** Where to find the token, and how to decrypt it. */
export interface GetTokenParams<R extends boolean = false> extends LegacyOption {
  /** The request, with the token in its cookies or as `Authorization: Bearer`. */
  req: Request | { headers: Headers | Record<string, string> }
  /**
   * Whether to read the cookie with the `__Secure-` prefix.
   *
   * @default whether `AUTH_URL`, or else `NEXTAUTH_URL`, is an https URL
   */
  secureCookie?: boolean
  /** @default '__Secure-authjs.session-token' or 'authjs.session-token' */
  cookieName?: string
  /** Returns the token itself, neither decrypted nor validated. @default false */
  raw?: R
  /**
   * The secret or secrets to decrypt with. Of several secrets, the one that fits is used.
   * @default the `AUTH_SECRET` environment variable
   */
  secret?: string | readonly string[]
  /** @default the name of the cookie */
  salt?: string
  /**
   * The `jwt.audience` of the configuration. Tokens with another audience, or without one, are rejected. @default any
   */
  audience?: string
  /** Replaces {@link decode}. */
  decode?: JWTOptions['decode']
  /** Logs why a token was refused (`debug`), and errors of `decode` (`error`). */
  logger?: LoggerInstance | Console
}

/**
 * Returns the payload of a request's session token, or the token itself with `raw`. Returns null if there is no valid
 * token. Of several cookies with one name, the first valid one counts; with `raw`, the first one.
 *
 * @param params the request, and where its token is if you changed the defaults
 * @returns the payload; with `raw`, the token; or null
 * @throws Error without a request
 * @throws MissingSecret if there is a token to decrypt and no secret
 * @throws TypeError if there is a token to decrypt and `acceptLegacyTokens` is not a valid date
 * @example const token = await getToken({ req: request })
 */
export function getToken<R extends boolean = false>(
  params: GetTokenParams<R>,
): Promise<R extends true ? string | null : JWT | null>
export async function getToken(params: GetTokenParams<boolean>): Promise<string | JWT | null> {
  if (!params.req?.headers) throw new Error('Must pass `req` to JWT getToken()')
  const { secureCookie = isSecureSite() } = params
  const { cookieName = `${secureCookie ? '__Secure-' : ''}authjs.session-token` } = params
  const tokens = findTokens(params.req.headers, cookieName)
  if (params.raw) return tokens[0] ?? null
  for (const token of tokens) {
    const claims = await readToken(token, params, params.salt ?? cookieName)
    if (claims && (params.audience === undefined || claims['aud'] === params.audience)) return claims
  }
  return null
}

async function readToken(token: string, params: GetTokenParams<boolean>, salt: string): Promise<JWT | null> {
  const { secret, decode: customDecode, logger } = params
  if (customDecode) {
    const [first, ...others] = findSecrets(secret)
    try {
      return await customDecode({ token, secret: others.length === 0 ? first : [first, ...others], salt })
    } catch (error) {
      logger?.error(new JWTSessionError(asError(error)))
      return null
    }
  }
  const opened = await openToken(token, params, salt)
  if ('claims' in opened) return opened.claims
  logger?.debug('The token was refused', { reason: opened.refused })
  return null
}

async function openToken(
  token: string,
  { secret, acceptLegacyTokens }: SecretOption & LegacyOption,
  salt: string,
): Promise<Opened> {
  const keyring = createKeyring(findSecrets(secret), systemPlatform, undefined, acceptLegacyTokens)
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
