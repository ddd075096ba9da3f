/** Codes that a feature sends to a person, and that its browser must enter: a row of the store for each attempt. */
import { featureCookieOption } from '../cookies/feature-cookie.ts'
import { equalsInConstantTime } from '../crypto/hash.ts'
import { randomHex } from '../crypto/random.ts'
import { warnUnlimited } from '../flows/email/guessable-token.ts'
import { requireStore, type World } from '../flows/engine/world.ts'
import { csrfOf } from '../flows/shared/csrf-of.ts'
import { hashesOfFeature, newestHash, storeRow, takeRow } from '../flows/shared/mailed-proof.ts'
import { nameBrowser } from '../http/csrf.ts'
import type { Visit } from '../http/visit.ts'
import { readStamp } from '../policy/stamp.ts'
import { readUser } from '../session/stored.ts'
import { readSecret } from '../text/typed-secret.ts'
import { sealedCookie } from '../token/sealed.ts'
import type { Platform } from '../types/config.ts'
import type { FeatureTools, Json } from '../types/feature.ts'
import type { Awaitable } from '../types/records.ts'
import { siteOf } from '../flows/engine/site-tools.ts'
import { requestOf } from './tools.ts'

/** How many guesses at a code are compared (ASVS 6.6.3). */
export const maxAttempts = 5

const codeLength = 6

/**
 * Creates six random digits. The remainder of 64 random bits needs no loop, and differs from a uniform choice by less
 * than one in 10^13.
 */
export function mintCode({ randomBytes }: Platform): string {
  const bytes = new DataView(Uint8Array.from(randomBytes(8)).buffer)
  return String(bytes.getBigUint64(0) % 10n ** BigInt(codeLength)).padStart(codeLength, '0')
}

/** Creates the secret part of the tokens of a code's rows. */
export function mintNonce({ randomBytes }: Platform): string {
  return randomHex(randomBytes)
}

/** A code that a browser has asked for. */
export interface AwaitedCode<Value extends Json> {
  /** Whom the code was sent to, such as a phone number. */
  readonly identifier: string
  /** What was kept with it. */
  readonly value: Value
  /** How many guesses are left. */
  readonly attemptsLeft: number
}

/** The result of a guess. */
export type UsedCode<Value extends Json> =
  /** The person has the code, which is used up. */
  | ({ readonly is: 'right' } & AwaitedCode<Value>)
  /** With no attempts left, the code has ended. */
  | ({ readonly is: 'wrong' } & AwaitedCode<Value>)
  /**
   * This browser waits for no code, or the code was used, replaced, has expired, or is older than a change to the account or
   * its owner.
   */
  | { readonly is: 'ended' }

/** Sends codes of six digits and checks them. */
export interface OneTimeCode<Value extends Json> {
  /**
   * Creates a code and sends it. It works once, in this browser, with five guesses, and replaces an older one of this browser.
   * If the function throws, there is no code.
   *
   * @param identifier whom it is sent to. In a way to sign in, it is the id of the account. The code is then bound to the
   * user who has this account now
   * @param value is kept for `read` and `use`
   * @param deliver sends the code. Nothing else gets it
   */
  readonly send: (
    identifier: string,
    value: Value,
    deliver: (code: string) => Awaitable<unknown>,
    tools: FeatureTools,
  ) => Promise<void>
  /** Returns the code that this browser waits for, without using it up. */
  readonly read: (tools: FeatureTools) => Promise<AwaitedCode<Value> | undefined>
  /** Uses up an attempt, and returns whether the text of the form is the code. An empty text costs none. */
  readonly use: (typed: unknown, tools: FeatureTools) => Promise<UsedCode<Value>>
}

/** The content of the sealed cookie of the browser. */
interface Kept {
  readonly identifier: string
  readonly value: Json
  /** A hash of the code, with the secret. */
  readonly hash: string
  /** Names the rows of the attempts together with `attempt`. Nobody but this library can read it. */
  readonly nonce: string
  /** The number of the next attempt, from 1. */
  readonly attempt: number
  /** Milliseconds since 1970. */
  readonly expires: number
  /** A hash of the CSRF token of the browser. */
  readonly browser: string
  /** The user who had the account when the code was sent. */
  readonly owner?: string | undefined
  /** The stamp of this user at that time. */
  readonly stamp?: string | undefined
}

/**
 * Declares one-time codes of a feature, such as those of a message to a phone (FT-10). They need `createVerificationToken` and
 * `useVerificationToken` of the adapter.
 *
 * @param name the name of the feature, or a text that begins with it and a hyphen. No cookie of the feature has it
 * @param options `maxAge` in seconds
 * @returns functions that send a code, and check it
 * @example const codes = oneTimeCode<{ callbackUrl: string }>('phone', { maxAge: 600 })
 */
export function oneTimeCode<Value extends Json>(
  name: string,
  options: { readonly maxAge: number },
): OneTimeCode<Value> {
  const cookie = sealedCookie<Kept>({
    cookie: (visit) => featureCookieOption(visit, name),
    until: ({ expires }) => expires,
    boundTo: [],
    browser: 'feature',
    toClaims: (kept) => ({ code: kept }),
    read: ({ code }) => code as Kept | undefined,
  })
  const hashes = (text: string, { settings }: World) => hashesOfFeature(`feature ${name} ${text}`, settings)
  const tokensOf = ({ nonce, attempt }: Kept, world: World) => hashes(`attempt ${nonce} ${attempt}`, world)
  const codesOf = (nonce: string, code: string, world: World) => hashes(`code ${nonce} ${code}`, world)
  const rowOf = ({ identifier }: Pick<Kept, 'identifier'>) => `feature:${name}:${identifier}`

  /** Stores the row of the next attempt. */
  const grant = async (kept: Kept, world: World) => {
    const token = newestHash(await tokensOf(kept, world))
    await storeRow({ identifier: rowOf(kept), token, expires: new Date(kept.expires) }, world)
  }
  /** Removes the row of the next attempt, which only one request can do. */
  const spend = async (kept: Kept, world: World) =>
    (await takeRow(rowOf(kept), await tokensOf(kept, world), world)) !== undefined
  const describe = ({ identifier, value, attempt }: Kept): AwaitedCode<Value> => ({
    identifier,
    value: value as Value,
    attemptsLeft: maxAttempts + 1 - attempt,
  })

  return {
    async send(identifier, value, deliver, tools) {
      const { feature, visit, world } = requestOf(tools, name)
      const { settings, platform, out } = world
      warnUnlimited({ id: feature.name }, settings)
      const older = await cookie.peek(visit, world)
      if (older) await spend(older, world)
      const csrf = await csrfOf(visit, world)
      const code = mintCode(platform)
      const nonce = mintNonce(platform)
      const kept: Kept = {
        identifier,
        value,
        hash: newestHash(await codesOf(nonce, code, world)),
        nonce,
        attempt: 1,
        expires: platform.now() + options.maxAge * 1000,
        browser: await nameBrowser('feature', csrf.token),
        ...(await readOwner(identifier, tools)),
      }
      await grant(kept, world)
      try {
        await deliver(code)
      } catch (error) {
        await spend(kept, world)
        throw error
      }
      out.setCookies(csrf.cookies)
      out.setCookies(await cookie.write(kept, visit, world))
    },
    async read(tools) {
      const { visit, world } = requestOf(tools, name)
      const kept = await cookie.open(visit, {}, world)
      return kept && describe(kept)
    },
    async use(typed, tools) {
      const { visit, world } = requestOf(tools, name)
      const kept = await cookie.open(visit, {}, world)
      if (!kept) return { is: 'ended' }
      if (typeof typed !== 'string' || typed.trim() === '') return { is: 'wrong', ...describe(kept) }
      const isFirst = await spend(kept, world)
      const { owner, stamp } = await readOwner(kept.identifier, tools)
      if (!isFirst || kept.owner !== owner || kept.stamp !== stamp) return end(visit, world)
      const guesses = await codesOf(kept.nonce, readSecret('code', typed) ?? '', world)
      if (guesses.some((hash) => equalsInConstantTime(hash, kept.hash))) {
        end(visit, world)
        return { is: 'right', ...describe(kept) }
      }
      const next = { ...kept, attempt: kept.attempt + 1 }
      if (next.attempt > maxAttempts) end(visit, world)
      else {
        await grant(next, world)
        world.out.setCookies(await cookie.write(next, visit, world))
      }
      return { is: 'wrong', ...describe(next) }
    },
  }

  function end(visit: Visit, world: World) {
    world.out.setCookies(cookie.remove(visit))
    return { is: 'ended' } as const
  }
}

/**
 * Reads who has the account of a way to sign in, and their stamp. An account can pass to another user, for example if its id
 * is a name that users choose. Sends the same queries for an account that nobody has.
 */
async function readOwner(
  providerAccountId: string,
  tools: FeatureTools,
): Promise<Pick<Kept, 'owner' | 'stamp'>> {
  const { feature, world } = siteOf(tools)
  const { name, signIn } = feature
  if (!signIn) return {}
  const found = await requireStore(world).getUserByAccount({ provider: name, providerAccountId })
  const owner = readUser(found, 'getUserByAccount') ?? undefined
  const stamp = await readStamp(owner, world)
  return { owner: owner?.id, stamp: stamp?.value ?? undefined }
}
