import type { Handle } from '../../targets/target.ts'
import { Absent, Breach } from '../../world/breach.ts'
import type { Fault } from '../../world/idp/faults.ts'
import type { RemoteName } from '../../world/people.ts'
import type { World } from '../../world/world.ts'
import { startAt } from './consent.ts'
import { signInUnder } from './faulty.ts'

/** How the reason begins of a property about id_tokens that an application does not read. */
export const readsNoIdToken = 'the application reads no id_token'

/** The findings about an application, by provider. */
const probed = new WeakMap<Handle, Map<RemoteName, Promise<boolean>>>()

/**
 * Demands that the application looks at the value that a fault changes. One that it ignores can have any fault.
 *
 * @throws {Absent} if it requests no id_token, reads none, or sent no nonce with which to compare one
 */
export async function requireReading(world: World, provider: RemoteName, fault: Fault): Promise<void> {
  const { searchParams: asked } = await startAt(world, world.browser(), provider)
  if (world.routes && asked.get('scope')?.split(' ').includes('openid') !== true)
    throw new Absent(`a sign-in at ${provider} requests no id_token`)
  if (fault.startsWith('nonce-') && !asked.has('nonce'))
    throw new Absent(`a sign-in at ${provider} sends no nonce`)
  // The providers of a library read every id_token.
  if (world.features.has('setup') || (await readsIdToken(world, provider))) return
  throw new Absent(`${readsNoIdToken} of ${provider}: it signs in with one that is no JWT`)
}

/**
 * Demands that the application verifies signatures, for faults that only a verified signature can have.
 *
 * @throws {Absent} if it relies on the TLS of the token endpoint (OIDC Core 3.1.3.7 (6))
 */
export async function demandVerification(world: World, provider: RemoteName): Promise<void> {
  for (const fault of ['signature-flipped', 'signature-foreign'] as const)
    if (await signInUnder(world, provider, fault))
      throw new Absent(`the application verifies no signature of ${provider} (see OI-32)`)
}

function readsIdToken(world: World, provider: RemoteName): Promise<boolean> {
  const known = probed.get(world.handle) ?? new Map<RemoteName, Promise<boolean>>()
  probed.set(world.handle, known)
  const reads = known.get(provider) ?? probe(world, provider)
  known.set(provider, reads)
  return reads
}

/** Returns whether an id_token that nobody can read, or a forged one of another user, makes a difference. */
async function probe(world: World, provider: RemoteName): Promise<boolean> {
  if (!(await signInUnder(world, provider, 'id-token-garbage'))) return true
  const forged: readonly Fault[] = ['id-token-of-bob', 'issuer-wrong', 'audience-wrong', 'signature-foreign']
  try {
    return !(await signInUnder(world, provider, ...forged))
  } catch (error) {
    // Bob is signed in, or another user.
    if (error instanceof Breach) return true
    throw error
  }
}
