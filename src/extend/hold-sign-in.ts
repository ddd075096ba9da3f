import { encodeBase64url } from '../crypto/bytes.ts'
import type { Continuation } from '../flows/engine/flow.ts'
import type { Facts } from '../flows/engine/facts.ts'
import type { World } from '../flows/engine/world.ts'
import { nameBrowser } from '../http/csrf.ts'
import type { Visit } from '../http/visit.ts'
import { isEndedByGates, storeHeld, takeHeld } from '../policy/end-held.ts'
import { isOutdated } from '../policy/stamp.ts'
import { heldCookie, type HeldSignIn } from '../session/held-sign-in.ts'
import { readUser } from '../session/stored.ts'
import type { AdapterUser } from '../types/adapter.ts'
import type { GateSubject } from '../types/feature.ts'
import { csrfOf } from './csrf-of.ts'

/** The place at which a flow continues. */
interface Place extends Continuation {
  readonly flow: string
}

/** Seals the run into a cookie of this browser, until the gate lets it pass. */
export async function holdSignIn(
  gate: string,
  subject: GateSubject,
  { flow, at, facts: names }: Place,
  facts: Partial<Facts> & Pick<Facts, 'visit'>,
  world: World,
): Promise<void> {
  const { settings, platform, out } = world
  const { visit, passed } = facts
  const now = platform.now()
  const { token, cookies } = await csrfOf(visit, world)
  const given = { ...facts, ...onlyNeeded(facts) }
  const kept = names.flatMap((name) => (given[name] === undefined ? [] : [[name, tag(given[name])] as const]))
  const held: HeldSignIn = {
    gate,
    id: encodeBase64url(platform.randomBytes(16)),
    site: nameSite(visit, settings),
    subject: { ...subject, profile: undefined },
    passed: {
      userId: subject.userId,
      provenAt: passed?.provenAt ?? now,
      learnt: passed?.learnt ?? {},
    },
    isStored: (await findUser(subject.userId, world)) !== undefined,
    flow,
    at,
    provider: providerOf(facts),
    facts: Object.fromEntries(kept),
    browser: await nameBrowser('feature', token),
  }
  await storeHeld(held.id, now, world)
  out.setCookies(cookies)
  out.setCookies(await heldCookie.write(held, visit, world))
}

/** What is left of some facts: the browser has to store them, and a sign-in that a gate held links nothing to a session. */
function onlyNeeded({ grant, provider, checks, requester }: Partial<Facts>): Partial<Facts> {
  const { sub, sid, iat } = grant?.claims ?? {}
  return {
    ...(grant && {
      grant: { tokens: grant.tokens, ...(provider?.backChannelLogout && { claims: { sub, sid, iat } }) },
    }),
    ...(checks && { checks: { ...checks, startedBy: undefined, isLink: undefined } }),
    ...(requester && { requester: {} }),
  }
}

function nameSite({ base }: Visit, { jwt }: World['settings']): string {
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
  const held = await heldCookie.open(visit, {}, world)
  if (held?.gate !== gate || held.site !== nameSite(visit, world.settings)) return undefined
  const facts = Object.entries(held.facts).map(([name, value]) => [name, untag(value)] as const)
  return { ...held, facts: Object.fromEntries(facts) }
}

/**
 * Uses up a held sign-in, which only one request can do.
 *
 * @returns false if it was used up, or has ended because of a change to the account (FT-03)
 */
export async function useHeld(held: OpenedSignIn, world: World): Promise<boolean> {
  const { stamp } = held.facts
  const { userId, provenAt } = held.passed
  if (!(await takeHeld(held.id, world))) return false
  if (stamp && (await isOutdated(stamp, stamp.userId, world))) return false
  if (held.isStored && !(await findUser(userId, world))) return false
  return !(await isEndedByGates(userId, provenAt, world))
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
