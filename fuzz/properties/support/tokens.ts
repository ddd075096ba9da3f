import fc from 'fast-check'
import type { TokenFunctions } from '../../targets/target.ts'
import type { World } from '../../world/world.ts'

/** What a token says. */
export type Claims = Readonly<Record<string, unknown>>

/** The secret of most tokens. */
export const secret = 'a secret of tokens that is long enough'

/** The purpose of most tokens: the session cookie's name. */
export const salt = '__Secure-authjs.session-token'

/** What a token may be for. */
export const salts = fc.constantFrom(
  salt,
  'authjs.session-token',
  'encodedState',
  '__Secure-authjs.state',
  '',
  'x',
  'ü',
)

/** The token functions of a target that has them. */
export const functionsOf = ({ tokens }: World): TokenFunctions => {
  if (!tokens) throw new Error('a property over tokens runs without them')
  return tokens
}

/** What decoding comes to, in one word; only `null` is a refusal that everybody understands. */
export async function judge(
  work: () => Promise<unknown>,
): Promise<{ readonly claims?: Claims; readonly told: string }> {
  try {
    const claims = await work()
    if (claims === null) return { told: 'null' }
    return typeof claims === 'object'
      ? { claims: claims as Claims, told: 'claims' }
      : { told: typeof claims === 'string' ? claims : typeof claims }
  } catch (error) {
    return { told: `a throw of ${error instanceof Error ? error.name : String(error)}` }
  }
}

/** Seconds since 1970, by the clock of the world. */
export const now = (world: World) => Math.floor(world.clock.now() / 1000)

/** What every property over tokens needs. */
export const row = { needs: ['tokens'], setups: { jwt: { strategy: 'jwt', providers: ['alpha'] } } } as const
