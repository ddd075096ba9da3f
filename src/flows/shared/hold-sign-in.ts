import { encodeBase64url } from '../../crypto/bytes.ts'
import { hasFactor } from '../../features/options.ts'
import { nameBrowser } from '../../http/csrf.ts'
import type { Visit } from '../../http/visit.ts'
import { isEndedByGates, storeHeld, takeHeld } from '../../policy/end-held.ts'
import { isOutdated } from '../../policy/stamp.ts'
import { describeFirstFactor } from '../../session/authentication.ts'
import { heldSignInCookie, type HeldSignIn } from '../../session/held-sign-in.ts'
import { isSameId, readUser } from '../../session/stored.ts'
import type { AdapterUser } from '../../types/adapter.ts'
import type { GateSubject } from '../../types/feature.ts'
import type { Account } from '../../types/records.ts'
import type { Authentication } from '../../types/authentication.ts'
import type { Arrival, Facts } from '../engine/facts.ts'
import type { Continuation } from '../engine/step.ts'
import type { World } from '../engine/world.ts'
import { csrfOf } from './csrf-of.ts'

/** The place at which a flow continues. */
export interface Place extends Continuation {
  readonly flow: string
}

interface Holding extends Pick<HeldSignIn, 'gate' | 'binding'> {
  readonly place: Place
  /** How the user has authenticated so far, if not with the account. */
  readonly first?: Authentication | undefined
}

/** Seals the run into a cookie of this browser, until the gate lets it pass. */
export async function holdSignIn(
  { gate, binding, place, first }: Holding,
  facts: Arrival,
  world: World,
): Promise<void> {
  const { settings, platform, out } = world
  const { visit, account, passed } = facts
  const now = platform.now()
  const { token, cookies } = await csrfOf(visit, world)
  const subject = describeSubject(facts, world)
  const provenAt = passed?.provenAt ?? now
  const held: HeldSignIn = {
    gate,
    binding,
    id: encodeBase64url(platform.randomBytes(16)),
    site: nameSite(visit, settings),
    subject: { ...subject, profile: undefined },
    passed: { learnt: {}, ...passed, userId: subject.userId, provenAt },
    first: first ?? describeFirstFactor(account, provenAt, settings),
    isStored: (await findUser(subject.userId, world)) !== undefined,
    flow: place.flow,
    at: place.at,
    provider: providerOf(facts),
    facts: sealable(place.facts, facts),
    browser: await nameBrowser('held-sign-in', token),
  }
  await storeHeld(held.id, now, world)
  out.setCookies(cookies)
  out.setCookies(await heldSignInCookie.write(held, visit, world))
}

/** Returns whether the site has a gate that may hold a sign-in. */
export function mayHold({ settings }: World): boolean {
  return hasFactor(settings) || settings.features.some(({ gate }) => gate)
}

/** Returns the id of the user who signs in, or empty text for a new one. */
export function idOf({
  holder,
  member,
  candidate,
}: Pick<Arrival, 'holder' | 'member' | 'candidate'>): string {
  return (holder ?? member ?? candidate).id ?? ''
}

/** Describes who signs in, as far as it is known before anything is stored. */
export function describeSubject(facts: Arrival, { store }: World): GateSubject {
  const { candidate, account, member, holder, profile } = facts
  const user = holder ?? member ?? (account.type === 'credentials' || !store ? candidate : undefined)
  const { provider, providerAccountId, type } = account
  const { name, email } = user ?? candidate
  return {
    // As the adapter has it: some have numbers, and refuse text.
    userId: user?.id,
    name: name ?? undefined,
    email: email ?? undefined,
    account: { provider, providerAccountId, type },
    profile: profile && { ...profile },
  }
}

type Sealable = Readonly<Record<string, unknown>>

/** Returns the facts that the browser keeps, as JSON. */
function sealable(names: Continuation['facts'], facts: Arrival): Sealable {
  const given: Sealable = { ...facts, ...onlyNeeded(facts) }
  const kept = names.flatMap((name) => (given[name] === undefined ? [] : [[name, tag(given[name])] as const]))
  return Object.fromEntries(kept)
}

/** Drops parts of some facts: cookies are small, and only a link that a session requested needs that session. */
function onlyNeeded({ account, grant, provider, checks, requester, linking, member }: Arrival): Sealable {
  const { sub, sid, iat } = grant?.claims ?? {}
  const isLink = linking?.change === 'link-account'
  return {
    account: withoutTokens(account, grant?.tokens ?? {}),
    ...(grant && {
      grant: { tokens: grant.tokens, ...(provider?.endsSessions && { claims: { sub, sid, iat } }) },
    }),
    ...(checks && !isLink && { checks: { ...checks, startedBy: undefined, isLink: undefined } }),
    ...(requester && { requester: isSameId(requester.id, member?.id) ? requester : {} }),
  }
}

/** The account repeats the tokens of the grant, which may be long. */
function withoutTokens(account: Account, tokens: object): Sealable {
  const given = new Map<string, unknown>(Object.entries(tokens))
  return Object.fromEntries(Object.entries(account).filter(([name, value]) => given.get(name) !== value))
}

/** Names the application: another one with the same secret has another name. */
export function nameSite({ base }: Visit, { jwt }: World['settings']): string {
  return JSON.stringify([base, jwt.audience ?? null])
}

/** Returns the user, if the site has a store and it has the user. */
async function findUser(userId: string | undefined, { store }: World): Promise<AdapterUser | undefined> {
  if (userId === undefined || !store?.has('getUser')) return undefined
  return readUser(await store.getUser(userId), 'getUser') ?? undefined
}

function providerOf(facts: Partial<Facts>): string | undefined {
  const { provider, mailProvider, credentialsProvider, webauthnProvider } = facts
  return (provider ?? credentialsProvider ?? mailProvider ?? webauthnProvider)?.id
}

/** A held sign-in, with the facts with which it continues. */
export type OpenedSignIn = HeldSignIn & { readonly facts: Partial<Facts> }

/** Opens the sign-in that this gate holds in this browser. */
export async function openHeld(gate: string, visit: Visit, world: World): Promise<OpenedSignIn | undefined> {
  const held = await heldSignInCookie.open(visit, {}, world)
  if (held?.gate !== gate || held.site !== nameSite(visit, world.settings)) return undefined
  const entries = Object.entries(held.facts).map(([name, value]) => [name, untag(value)] as const)
  const facts: Partial<Facts> = Object.fromEntries(entries)
  const { account, grant } = facts
  return { ...held, facts: account && grant ? { ...facts, account: { ...grant.tokens, ...account } } : facts }
}

/**
 * Uses up a held sign-in, which only one request can do.
 *
 * @returns false if it was used up, or has ended because of a change to the account (FT-03, SF-10)
 */
export async function useHeld(held: OpenedSignIn, world: World): Promise<boolean> {
  const { stamp } = held.facts
  const { userId, provenAt } = held.passed
  if (stamp && (await isOutdated(stamp, stamp.userId, world))) return false
  if (held.isStored && !(await findUser(userId, world))) return false
  if (await isEndedByGates(userId, provenAt, world)) return false
  // Last: if the store fails before, the user can try again.
  return takeHeld(held.id, world)
}

/** JSON has no dates. */
interface Tagged {
  readonly $date: number
}

function tag(value: unknown): unknown {
  if (value instanceof Date) return { $date: value.getTime() } satisfies Tagged
  // A provider may choose any name. One that looks like a tag gets another dollar sign.
  return mapMembers(value, tag, (name) => name.replace(/^\$/, '$$$$'))
}

function untag(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && '$date' in value) return new Date(Number(value.$date))
  return mapMembers(value, untag, (name) => name.replace(/^\$\$/, '$$'))
}

function mapMembers(
  value: unknown,
  change: (member: unknown) => unknown,
  rename: (name: string) => string,
): unknown {
  if (Array.isArray(value)) return value.map(change)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [rename(name), change(member)]))
}
