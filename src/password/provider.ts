import { asError } from '../errors/as-error.ts'
import { systemPlatform } from '../platform/clock.ts'
import { AuthError, CallbackRouteError } from '../errors/classes.ts'
import { isSameAddress, canonicaliseAddress } from '../text/email-address.ts'
import { respondInTime } from '../flows/engine/deadline.ts'
import { type FetchRange, fetchRanges, isBreached } from './breached.ts'
import { hashPassword, readScheme, type Verdict, verifyHash } from './hash.ts'
import {
  type PasswordContext,
  type PasswordHooks,
  type PasswordLinkParams,
  readHashOf,
} from '../provider-base/password.ts'
import { hasShortRows, normalise } from '../text/normalise.ts'
import { passwords } from '../types/symbols.ts'
import { limitConcurrency } from './limit-concurrency.ts'
import { longestPassword, readSecret } from '../text/typed-secret.ts'
import type { CredentialsConfig, GivenId, Identified } from '../types/provider.ts'
import type { AdapterUser } from '../types/adapter.ts'
import type { LoggerInstance } from '../types/logger.ts'
import type { Awaitable } from '../types/records.ts'

/** Options of {@link Password}. */
export interface PasswordOptions {
  /** Sends the link that sets a password. If it throws, the request fails with EmailSignInError. */
  readonly sendLink: (params: PasswordLinkParams) => Awaitable<void>
  /** The label of the sign-in button. @default 'Password' */
  readonly name?: string
  /** Lifetime of a link in seconds. @default 3600 */
  readonly maxAge?: number
  /**
   * Minimum characters of a new password, from 8 to 64. Use fewer than 15 only with a second factor (NIST SP 800-63B-4
   * 3.1.1.2).
   * @default 15
   */
  readonly minLength?: number
  /**
   * Refuses new passwords that are in a collection of breached ones: `true` for the service Have I Been Pwned, which gets
   * five digits of a hash, or a function for a mirror. If the check fails, the password is accepted, and the warning
   * `breach-check-failed` is logged.
   * @default false
   */
  readonly checkBreached?: boolean | FetchRange
  /**
   * The algorithm and its parameters, as at the start of a PHC string. A hash with other parameters is replaced at the
   * next sign-in.
   * @default `$argon2id$v=19$m=19456,t=2,p=1`, or `$scrypt$ln=15,r=8,p=3` before Node.js 24.7
   */
  readonly parameters?: string
  /**
   * Verifies hashes in other formats, for example of bcrypt, or of argon2id before Node.js 24.7, within ten seconds. They are
   * replaced at the next sign-in. If it throws, the password counts as wrong, and the error is logged.
   */
  readonly verifyLegacy?: (hash: string, password: string) => Awaitable<boolean>
  /**
   * A hash of any password in the format of `verifyLegacy`, with its usual cost. It is verified if no legacy hash is
   * stored, so that the time does not reveal which users have a legacy hash.
   * @default none: an attempt takes longer for a user with a legacy hash
   */
  readonly legacyExample?: string
}

/**
 * Signs users in with an e-mail address and a password, whose hash the adapter stores. Users register, and set or reset
 * their password, at `/auth/password/<id>`, and change it at `/auth/password-change/<id>`. Needs `node:crypto` (Node.js 20.16 or
 * newer, Deno or Bun), and an adapter with `getPassword`, `setPassword` and `deletePassword`.
 *
 * @param options how to send links, and rules for passwords
 * @returns the provider
 * @throws TypeError if an option is invalid
 * @example Password({ sendLink: ({ identifier, url }) => sendMail(identifier, `Choose a password: ${url}`) })
 */
export function Password<const Id extends GivenId = GivenId>(
  options: PasswordOptions & { readonly id?: Id },
): Identified<CredentialsConfig, 'password', Id>
export function Password(given: PasswordOptions & { readonly id?: string }): object {
  // A program without types may pass nothing.
  const { id, name, ...options } = Object(given) as typeof given
  const hooks = createHooks(options)
  return {
    id: 'password',
    name: 'Password',
    type: 'credentials',
    credentials: {
      email: { label: 'Email', type: 'email', required: true, autocomplete: 'username' },
      password: { label: 'Password', type: 'password', required: true, autocomplete: 'current-password' },
    },
    authorize: async (fields: Fields, _: Request, context: PasswordContext) =>
      authenticate(fields, context, hooks),
    [passwords]: hooks,
    options: { id, name },
  }
}

interface Hooks extends PasswordHooks {
  readonly verify: (password: string, stored: string | null, logger?: LoggerInstance) => Promise<Verdict>
}

function createHooks(options: PasswordOptions): Hooks {
  const { sendLink, maxAge = 3600, minLength = 15, checkBreached = false, parameters } = options
  checkOptions({ ...options, maxAge, minLength, checkBreached })
  if (parameters !== undefined) readScheme(parameters)
  const limited = limitConcurrency(hashedAtOnce, hashedLater)
  // If the application's function hangs, users whose hash does not need it can still sign in.
  const limitedLegacy = limitConcurrency(hashedAtOnce, hashedLater)
  return {
    sendLink,
    maxAge,
    minLength,
    hash: (password) => limited(() => hashPassword(password, parameters)),
    async verify(password, stored, logger) {
      const typed = readSecret('password', password)
      const read = typed ?? ''
      const verdict = await limited(() => verifyForms(read, stored, parameters))
      const isLegacy = stored !== null && verdict === undefined
      // The same work for each kind of stored hash, and if no hash is stored.
      if (isLegacy) await limited(() => verifyForms(read, null, parameters))
      const hash = isLegacy ? stored : options.legacyExample
      const given = typed === undefined ? '' : password
      const isLegacyMatch =
        hash !== undefined && (await limitedLegacy(() => askLegacy(hash, given, options, logger)))
      const { matches, isOutdated } = verdict ?? { matches: isLegacyMatch, isOutdated: true }
      // A password that is too long takes equally long, but must not match the hash of the empty text.
      return { matches: matches && typed !== undefined, isOutdated }
    },
    async check(typed, { fetch, logger }) {
      // Only hashing, which follows at a sign-in, takes longer than sorting so many marks.
      if (typed.length > longestPassword || !hasShortRows(typed)) return 'too-long'
      const password = readSecret('password', typed)
      if (password === undefined) return 'too-long'
      if (Array.from(password).length < minLength) return 'too-short'
      if (checkBreached === false) return undefined
      const fetchRange = checkBreached === true ? fetchRanges(fetch) : checkBreached
      try {
        return (await isBreached(password, fetchRange)) ? 'breached' : undefined
      } catch (error) {
        const cause = asError(error)
        logger.warn('breach-check-failed', cause.message)
        logger.error(new AuthError('The breached passwords could not be queried', cause))
        return undefined
      }
    },
  }
}

/** Hashing occupies a thread of the pool that also reads files and resolves host names, which has four by default. */
const hashedAtOnce = 2
/** A few seconds of work. More is an attack, or needs more processes. */
const hashedLater = 100
/** Seconds. A link for a month is a mistake. */
const longestLink = 30 * 86_400

function checkOptions({
  sendLink,
  maxAge,
  minLength,
  checkBreached,
  verifyLegacy,
  legacyExample,
}: PasswordOptions & Required<Pick<PasswordOptions, 'maxAge' | 'minLength' | 'checkBreached'>>): void {
  if (typeof sendLink !== 'function') throw new TypeError('`sendLink` of `Password` must be a function')
  if (verifyLegacy !== undefined && typeof verifyLegacy !== 'function')
    throw new TypeError('`verifyLegacy` of `Password` must be a function')
  if (legacyExample !== undefined && (typeof legacyExample !== 'string' || !verifyLegacy))
    throw new TypeError('`legacyExample` of `Password` must be a hash for `verifyLegacy`')
  if (typeof checkBreached !== 'boolean' && typeof checkBreached !== 'function')
    throw new TypeError('`checkBreached` of `Password` must be true, false or a function')
  if (!(Number.isFinite(maxAge) && maxAge > 0 && maxAge <= longestLink))
    throw new TypeError(
      `\`maxAge\` of \`Password\` must be a positive number of seconds, at most 30 days, got ${maxAge}`,
    )
  if (!(Number.isInteger(minLength) && minLength >= 8 && minLength <= 64))
    throw new TypeError(`\`minLength\` of \`Password\` must be an integer from 8 to 64, got ${minLength}`)
}

/**
 * Compares a password in NFC, the form that we hash, and then in NFKC, the form that other systems hash. Whether the
 * two differ depends only on the password.
 */
async function verifyForms(
  password: string,
  stored: string | null,
  parameters: string | undefined,
): Promise<Verdict | undefined> {
  const verdict = await verifyHash(password, stored, parameters)
  const compatible = normalise(password, 'NFKC', longestPassword) ?? password
  if (!verdict || verdict.matches || compatible === password) return verdict
  const second = await verifyHash(compatible, stored, parameters)
  return second && { ...second, isOutdated: true }
}

/**
 * Asks the application about a hash. It does not wait forever, because this would occupy a place in the queue. A user
 * whose hash cannot be verified must look like a user who does not exist.
 */
async function askLegacy(
  hash: string,
  password: string,
  { verifyLegacy }: Pick<PasswordOptions, 'verifyLegacy'>,
  logger?: LoggerInstance,
): Promise<boolean> {
  try {
    if (!verifyLegacy)
      throw new Error(
        'A stored password hash has an unknown format, or needs a newer Node.js. Set `verifyLegacy` of `Password` to verify it',
      )
    const work = Promise.resolve<unknown>(verifyLegacy(hash, password))
    return (await respondInTime(work, '`verifyLegacy` of `Password`', systemPlatform)) === true
  } catch (error) {
    logger?.error(
      new CallbackRouteError('A stored password hash could not be verified', { err: asError(error) }),
    )
    return false
  }
}

interface Fields {
  readonly email?: unknown
  readonly password?: unknown
}

/** Does the same for a wrong password, an unknown address and a user without a password. */
async function authenticate(
  { email, password }: Fields,
  { adapter, logger, onUser, onUpgrade }: PasswordContext,
  hooks: Hooks,
): Promise<AdapterUser | null> {
  const address = canonicaliseAddress(email)
  if (!adapter || address === undefined || typeof password !== 'string') return null
  const found = await adapter.getUserByEmail(address)
  const user = found && isSameAddress(address, found.email) ? found : undefined
  await onUser?.(user)
  const stored = await readHashOf(user, adapter)
  const { matches, isOutdated } = await hooks.verify(password, stored, logger)
  if (!user || stored === null || !matches) return null
  // Only if it is still the same: a reset in the meantime must win.
  if (isOutdated) {
    const hash = await hooks.hash(password)
    if (await adapter.setPassword(user.id, hash, { hash: stored })) await onUpgrade?.(hash)
  }
  return user
}
