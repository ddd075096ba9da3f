import type { Continuation } from '../flows/engine/flow.ts'
import type { Facts, PassedGates } from '../flows/engine/facts.ts'
import type { World } from '../flows/engine/world.ts'
import { heldSignInCookie } from '../cookies/feature-cookie.ts'
import { nameBrowser, provideCsrf } from '../http/csrf.ts'
import type { Visit } from '../http/visit.ts'
import { sealedCookie } from '../token/sealed.ts'

/** A sign-in that a gate holds, as the sealed cookie of its browser holds it. It is not a session. */
export interface HeldSignIn {
  /** The name of the feature whose gate holds it. */
  readonly gate: string
  readonly passed: PassedGates
  /** Where it continues. */
  readonly flow: string
  readonly at: string
  readonly provider: string | undefined
  /** The facts with which it continues, with dates as `Tagged`. */
  readonly facts: Readonly<Record<string, unknown>>
  /** A hash of the CSRF token of the browser. */
  readonly browser: string
}

/** The held sign-in of a browser (FT-02). */
export const heldCookie = sealedCookie<HeldSignIn>({
  cookie: heldSignInCookie,
  // As long as a sign-in that waits for the second factor.
  maxAge: 600,
  boundTo: [],
  browser: 'feature',
  toClaims: (held) => ({ held }),
  read: ({ held }) => held as HeldSignIn | undefined,
})

/** The place at which a flow continues. */
interface Place extends Continuation {
  readonly flow: string
}

/** Seals the run into a cookie of this browser, until the gate lets it pass. */
export async function holdSignIn(
  gate: string,
  userId: string | undefined,
  { flow, at, facts: names }: Place,
  facts: Partial<Facts> & Pick<Facts, 'visit'>,
  world: World,
): Promise<void> {
  const { visit, passed } = facts
  const { token, cookies } = await provideCsrf(visit, world.settings)
  const kept = names.flatMap((name) => (facts[name] === undefined ? [] : [[name, tag(facts[name])] as const]))
  const held: HeldSignIn = {
    gate,
    passed: { userId, learnt: passed?.learnt ?? {} },
    flow,
    at,
    provider: providerOf(facts),
    facts: Object.fromEntries(kept),
    browser: await nameBrowser('feature', token),
  }
  world.out.setCookies(cookies)
  world.out.setCookies(await heldCookie.write(held, visit, world))
}

function providerOf(facts: Partial<Facts>): string | undefined {
  const { provider, mailProvider, credentialsProvider, webauthnProvider } = facts
  return (provider ?? credentialsProvider ?? mailProvider ?? webauthnProvider)?.id
}

/** Opens the sign-in that this gate holds in this browser. */
export async function openHeld(
  gate: string,
  visit: Visit,
  world: World,
): Promise<(HeldSignIn & { readonly facts: Partial<Facts> }) | undefined> {
  const held = await heldCookie.open(visit, {}, world)
  if (held?.gate !== gate) return undefined
  const facts = Object.entries(held.facts).map(([name, value]) => [name, untag(value)] as const)
  return { ...held, facts: Object.fromEntries(facts) }
}

/** JSON has no dates. */
interface Tagged {
  readonly $date: number
}

function tag(value: unknown): unknown {
  if (value instanceof Date) return { $date: value.getTime() } satisfies Tagged
  return mapMembers(value, tag)
}

function untag(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && '$date' in value) return new Date(Number(value.$date))
  return mapMembers(value, untag)
}

function mapMembers(value: unknown, change: (member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]))
}
