import type { Setup } from '../targets/setup.ts'
import type { Driver } from '../targets/target.ts'
import { Unreached } from '../world/breach.ts'
import type { ProviderName } from '../world/people.ts'
import { openWorld } from '../world/world.ts'

type Faults = Map<string, Promise<string | undefined>>

const faultsOf = new WeakMap<Driver, Faults>()

/** After this many seconds, no target remembers a failure that an earlier case caused. */
const hour = 3600

/**
 * Describes where and how the target refuses an honest sign-in at these providers: `at alpha too (no session)`;
 * undefined if one of them succeeds. A target that refuses everybody withstands every attack, which proves nothing.
 */
export async function findSignInFault(
  driver: Driver,
  strategy: Setup['strategy'],
  providers: ReadonlySet<ProviderName>,
): Promise<string | undefined> {
  const faults = faultsOf.get(driver) ?? new Map<string, Promise<string | undefined>>()
  faultsOf.set(driver, faults)
  let fault: string | undefined
  // Registering a passkey takes a signed-in user of another provider.
  for (const provider of [...providers].filter((name) => name !== 'passkey')) {
    const key = `${provider} ${strategy}`
    const found = faults.get(key) ?? signInOnce(driver, strategy, provider)
    faults.set(key, found)
    fault = await found
    if (fault === undefined) return undefined
  }
  return fault
}

type SignInProvider = Exclude<ProviderName, 'passkey'>

async function signInOnce(
  driver: Driver,
  strategy: Setup['strategy'],
  provider: SignInProvider,
): Promise<string | undefined> {
  // Passwords need sessions in tokens, and links by mail a store.
  const wanted = provider === 'form' ? 'jwt' : provider === 'mail' ? 'database' : strategy
  const world = await openWorld(driver, wanted ? { strategy: wanted } : {}, 0)
  try {
    if (world.features.has('clock')) world.advance(hour)
    const { ada } = world.people
    await world.browser(ada.name).signIn(provider, ada)
    return undefined
  } catch (error) {
    if (error instanceof Unreached) {
      const last = world.history.words.at(-1)
      return `at ${provider} too (${error.message}${last ? `; last, ${last}` : ''})`
    }
    throw error
  } finally {
    await world.close()
  }
}
