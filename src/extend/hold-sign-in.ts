import type { Continuation } from '../flows/engine/flow.ts'
import type { Facts } from '../flows/engine/facts.ts'
import type { World } from '../flows/engine/world.ts'
import { nameBrowser, provideCsrf } from '../http/csrf.ts'
import type { Visit } from '../http/visit.ts'
import { heldCookie, type HeldSignIn } from '../session/held-sign-in.ts'
import type { GateSubject } from '../types/feature.ts'

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
  const { visit, passed } = facts
  const { token, cookies } = await provideCsrf(visit, world.settings)
  const kept = names.flatMap((name) => (facts[name] === undefined ? [] : [[name, tag(facts[name])] as const]))
  const held: HeldSignIn = {
    gate,
    subject,
    passed: { userId: subject.userId, learnt: passed?.learnt ?? {} },
    heldAt: world.platform.now(),
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
