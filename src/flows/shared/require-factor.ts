import { sha256Base64url } from '../../crypto/hash.ts'
import { AccessDenied } from '../../errors/classes.ts'
import { nameBrowser, provideCsrf } from '../../http/csrf.ts'
import type { Visit } from '../../http/visit.ts'
import { type FactorRecord, type StoredFactor, readFactor } from '../../second-factor/factor-record.ts'
import { isHeld } from '../../second-factor/held-sign-ins.ts'
import { pendingCookie, type PendingSignIn, type Rest } from '../../second-factor/pending-sign-in.ts'
import { deviceCookie } from '../../second-factor/remembered-device.ts'
import { addSecondFactor, describeFirstFactor } from '../../session/authentication.ts'
import { isProven, isSameId } from '../../session/stored.ts'
import type { Stamp } from '../../session/stamp.ts'
import { readStamp } from '../../policy/stamp.ts'
import type { Profile } from '../../types/records.ts'
import type { Authentication } from '../../types/second-factor.ts'
import type { Given } from '../engine/step.ts'
import type { World } from '../engine/world.ts'
import { vaultOf } from './vault.ts'
import { keepTokens } from './keep-tokens.ts'
import { toRow } from './link-account.ts'

/** The facts of a sign-in that the second factor may interrupt. */
type Arrival = Given<
  'visit' | 'candidate' | 'account' | 'callbackUrl',
  | 'member'
  | 'holder'
  | 'profile'
  | 'provider'
  | 'grant'
  | 'linking'
  | 'passwordProvider'
  | 'linkToken'
  | 'stamp'
  | 'passed'
>

/** Binds the sign-in to this browser until the user enters the second factor, if the user has one. */
export async function requireFactor(facts: Arrival, world: World) {
  const { visit, account, stamp } = facts
  const { settings, platform } = world
  // A gate may have held the sign-in since.
  const now = facts.passed?.provenAt ?? platform.now()
  const held = settings.secondFactor && (await readFactor(idOf(facts), vaultOf(world)))
  const first = describeFirstFactor(account, now, settings)
  const rest = held && (await restOf(facts))
  // A remembered browser proves nothing about the person, so it changes nothing: it only signs in.
  const isExempt = async () => held && !rest && (await isRemembered(held.record, stamp, visit, world))
  if (!held || (await isExempt())) return { type: 'factor.unneeded', authentication: first, stamp } as const
  const passed = rest?.kind === 'reset' ? await findPassed(rest, held, facts, world) : undefined
  if (passed)
    return { type: 'factor.unneeded', authentication: addSecondFactor(first, passed, now), stamp } as const
  return holdSignIn(facts, held, rest, world)
}

/** Seals a link that the user of a session asked for, until that user enters the second factor. */
export async function holdForSession(facts: Arrival, first: Authentication, world: World) {
  const stamp = await readStamp({ id: idOf(facts) }, world)
  const held = await readFactor(idOf(facts), vaultOf(world))
  if (!held) throw new AccessDenied('Another request has removed the second factor')
  return holdSignIn({ ...facts, stamp }, held, await restOf(facts), world, first)
}

/**
 * Seals the sign-in into a cookie of this browser.
 * @param first how the user authenticated, if not with the account
 */
async function holdSignIn(
  facts: Arrival,
  { record: { binding } }: StoredFactor,
  rest: Rest | undefined,
  world: World,
  first?: Authentication,
) {
  const { settings, platform, out } = world
  const { visit, account, callbackUrl, profile, provider, grant, stamp } = facts
  const csrf = await provideCsrf(visit, settings)
  const pending: PendingSignIn = {
    userId: idOf(facts),
    account,
    profile,
    claims: provider?.backChannelLogout ? nameSession(grant?.claims) : undefined,
    stamp: stamp && { value: stamp.value, at: stamp.at },
    binding,
    browser: await nameBrowser('factor', csrf.token),
    callbackUrl: rest?.kind === 'reset' ? linkOf(facts) : callbackUrl,
    first,
    heldAt: platform.now(),
    rest,
  }
  out.setCookies(csrf.cookies)
  out.setCookies(await pendingCookie.write(pending, visit, world))
  return { type: 'factor.demanded' } as const
}

/** Tells whether this browser was remembered for the user, and no change to the account has ended that. */
async function isRemembered(
  { userId, binding }: FactorRecord,
  stamp: Stamp | undefined,
  visit: Visit,
  world: World,
): Promise<boolean> {
  const bound = { userId: String(userId), binding, stamp: stamp?.value ?? undefined }
  return (await deviceCookie.open(visit, bound, world)) !== undefined
}

function idOf({ holder, member, candidate }: Arrival): string {
  return (holder ?? member ?? candidate).id ?? ''
}

/** Returns the change that the sign-in makes after the second factor. Most sign-ins make none. */
async function restOf(facts: Arrival): Promise<Rest | undefined> {
  const { account, candidate, member, provider, grant, linking, passwordProvider, linkToken } = facts
  if (linking && member && provider && grant)
    return {
      kind: 'link',
      ...linking,
      row: toRow(account, await keepTokens(provider, grant.tokens), member),
      candidate,
    }
  if (passwordProvider && linkToken !== undefined)
    return { kind: 'reset', link: await sha256Base64url(`reset ${linkToken}`) }
  return account.type === 'email' && member && !isProven(member) ? { kind: 'proof' } : undefined
}

/** Returns how this browser has passed the second factor for the same link. */
async function findPassed(
  { link }: Extract<Rest, { kind: 'reset' }>,
  { record }: StoredFactor,
  facts: Arrival,
  world: World,
) {
  const pending = await pendingCookie.open(facts.visit, {}, world)
  const { rest } = pending ?? {}
  if (!pending || rest?.kind !== 'reset' || rest.link !== link) return undefined
  const isOwn = isSameId(pending.userId, idOf(facts)) && isHeld(pending, record)
  return isOwn ? rest.method : undefined
}

/** The link that sets the password, which the browser opens again after the second factor. */
function linkOf({ visit, passwordProvider, linkToken = '', account, callbackUrl }: Arrival): string {
  const query = new URLSearchParams({ callbackUrl, token: linkToken, email: account.providerAccountId })
  return `${visit.base}/password-reset/${passwordProvider?.id}?${query}`
}

/** The claims that a back-channel logout names a session by. */
function nameSession({ sub, sid, iat }: Profile = {}): Profile {
  return { sub, sid, iat }
}
