/**
 * Values that features store: in the browser, sealed for their name and the browser, or in the adapter, sealed for a
 * user.
 */
import { featureCookieOption } from '../cookies/feature-cookie.ts'
import { nameBrowser } from '../http/csrf.ts'
import { AdapterError } from '../errors/classes.ts'
import { requireStore } from '../flows/engine/world.ts'
import { sealedCookie, sealedText } from '../token/sealed.ts'
import type { FeatureTools, Json, SiteTools } from '../types/feature.ts'
import { csrfOf } from '../flows/shared/csrf-of.ts'
import { siteOf } from '../flows/engine/site-tools.ts'
import { requestOf } from './tools.ts'

/** A sealed cookie of a feature. */
export interface FeatureCookie<Value extends Json> {
  /** Returns the value, or undefined if the cookie is missing, expired, changed, or of another browser. */
  readonly read: (tools: FeatureTools) => Promise<Value | undefined>
  /** Sets the cookie in the response. */
  readonly write: (value: Value, tools: FeatureTools) => Promise<void>
  /** Removes the cookie. */
  readonly clear: (tools: FeatureTools) => void
}

/**
 * Declares a cookie that only this browser and this library can use. It is sealed for its name and the browser, and is
 * not readable for scripts (FT-06).
 *
 * @param name begins with the name of the feature
 * @param options `maxAge` in seconds
 * @returns functions that read, write and remove the cookie
 * @example const invited = featureCookie<string>('invitation', { maxAge: 3600 })
 */
export function featureCookie<Value extends Json>(
  name: string,
  options: { readonly maxAge: number },
): FeatureCookie<Value> {
  const cookie = sealedCookie<{ readonly value: Json; readonly browser: string }>({
    cookie: (visit) => featureCookieOption(visit, name),
    maxAge: options.maxAge,
    boundTo: [],
    browser: 'feature',
    read: ({ value, browser }) => ({ value: value as Json, browser: String(browser) }),
  })
  return {
    async read(tools) {
      const { visit, world } = requestOf(tools, name)
      return (await cookie.open(visit, {}, world))?.value as Value | undefined
    },
    async write(value, tools) {
      const { visit, world } = requestOf(tools, name)
      const { token, cookies } = await csrfOf(visit, world)
      world.out.setCookies(cookies)
      const browser = await nameBrowser('feature', token)
      world.out.setCookies(await cookie.write({ value, browser }, visit, world))
    },
    clear(tools) {
      const { visit, world } = requestOf(tools, name)
      world.out.setCookies(cookie.remove(visit))
    },
  }
}

/** A value as it was read, for writing in its place. */
export interface StoredValue<Value> {
  /** The value. */
  readonly value: Value
  /** The text in the store. */
  readonly sealed: string
}

/** One sealed value for each user. */
export interface UserRecord<Value extends Json> {
  /** Returns the value of a user, or undefined if there is none. */
  readonly read: (userId: string, tools: SiteTools) => Promise<StoredValue<Value> | undefined>
  /**
   * Stores a value.
   *
   * @param stored what `read` has returned. Without it, the value is stored only if there is none
   * @returns false if another request was faster
   */
  readonly write: (
    userId: string,
    value: Value,
    stored: StoredValue<Value> | undefined,
    tools: SiteTools,
  ) => Promise<boolean>
  /**
   * Replaces the value with another one, and retries if another request changed it first.
   *
   * @param next returns the new value for the stored one, or undefined for no value. It may be called several times
   * @returns the new value
   * @throws AdapterError (rejects) after ten attempts
   */
  readonly update: (
    userId: string,
    next: (value: Value | undefined) => Value | undefined,
    tools: SiteTools,
  ) => Promise<Value | undefined>
  /** Removes the value that `read` has returned. @returns false if another request was faster */
  readonly remove: (userId: string, stored: StoredValue<Value>, tools: SiteTools) => Promise<boolean>
}

/** Each failed attempt means that another request has succeeded. */
const maxAttempts = 10

/** How `changeStored` reads and writes the value of one user or key. */
interface Place<Value extends Json, Stored extends StoredValue<Value>> {
  /** Names the value in an error. */
  readonly what: string
  readonly read: () => Promise<Stored | undefined>
  readonly write: (value: Value, stored: Stored | undefined) => Promise<boolean>
  readonly remove: (stored: Stored) => Promise<boolean>
}

/** Replaces a stored value with another one, and retries if another request changed it first. */
export async function changeStored<Value extends Json, Stored extends StoredValue<Value>>(
  { what, read, write, remove }: Place<Value, Stored>,
  next: (value: Value | undefined) => Value | undefined,
): Promise<Value | undefined> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const stored = await read()
    const value = next(stored?.value)
    if (value === undefined && !stored) return undefined
    const isDone = value !== undefined ? await write(value, stored) : stored && (await remove(stored))
    if (isDone) return value
  }
  throw new AdapterError(`${what} changed ${maxAttempts} times while it was being changed`)
}

/** A century in seconds: a record does not expire. */
const unlimited = 36_500 * 86_400

/**
 * Declares a value that is stored for each user, sealed for the name and the user, and deleted with the user (FT-06). The
 * feature needs `getRecord`, `setRecord` and `deleteRecord` of the adapter.
 *
 * @param name the name of the feature, or a text that begins with it and a hyphen
 * @returns functions that read, write and remove the value of a user
 * @throws AdapterError (rejects) if a stored value cannot be opened with any of the secrets
 * @example const accepted = userRecord<{ version: string }>('terms')
 */
export function userRecord<Value extends Json>(name: string): UserRecord<Value> {
  const key = `feature-${name}`
  const text = sealedText<{ readonly userId: string; readonly value: Json }, 'userId'>({
    purpose: `authmachine.${key}`,
    maxAge: unlimited,
    boundTo: ['userId'],
    read: ({ userId, value }) => ({ userId: String(userId), value: value as Json }),
  })
  const record: UserRecord<Value> = {
    async read(userId, tools) {
      const { world } = siteOf(tools, name)
      const sealed = await requireStore(world).getRecord(userId, key)
      if (sealed === null || sealed === undefined) return undefined
      const { content } = await text.open(String(sealed), { userId: String(userId) }, world)
      if (content) return { value: content.value as Value, sealed }
      throw new AdapterError(
        `The record "${key}" of a user cannot be opened. Add the secret that sealed it to \`secret\`, or delete it with \`deleteRecord\``,
      )
    },
    async write(userId, value, stored, tools) {
      const { world } = siteOf(tools, name)
      const sealed = await text.seal({ userId: String(userId), value }, world)
      return requireStore(world).setRecord(userId, key, sealed, stored && { value: stored.sealed })
    },
    async remove(userId, stored, tools) {
      return requireStore(siteOf(tools, name).world).deleteRecord(userId, key, { value: stored.sealed })
    },
    update: (userId, next, tools) =>
      changeStored<Value, StoredValue<Value>>(
        {
          what: `The record "${key}" of a user`,
          read: () => record.read(userId, tools),
          write: (value, stored) => record.write(userId, value, stored, tools),
          remove: (stored) => record.remove(userId, stored, tools),
        },
        next,
      ),
  }
  return record
}
