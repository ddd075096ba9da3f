import fc from 'fast-check'
import type { TokenFunctions } from '../../targets/target.ts'
import type { World } from '../../world/world.ts'

/** The claims of a token. */
export type Claims = Readonly<Record<string, unknown>>

/** The default secret of tokens. */
export const secret = 'a secret of tokens that is long enough'

/** The default salt of tokens: the session cookie's name. */
export const salt = '__Secure-authjs.session-token'

/** Purposes of tokens. */
export const salts = fc.constantFrom(
  salt,
  'authjs.session-token',
  'encodedState',
  '__Secure-authjs.state',
  '',
  'x',
  'ü',
)

/** The token functions of a target. */
export const functionsOf = ({ tokens }: World): TokenFunctions => {
  if (!tokens) throw new Error('The token functions are missing')
  return tokens
}

/** Summarises the result of decoding; only `null` is a refusal. */
export async function judge(
  work: () => Promise<unknown>,
): Promise<{ readonly claims?: Claims; readonly outcome: string }> {
  try {
    const claims = await work()
    if (claims === null) return { outcome: 'null' }
    return typeof claims === 'object'
      ? { claims: claims as Claims, outcome: 'claims' }
      : { outcome: typeof claims === 'string' ? claims : typeof claims }
  } catch (error) {
    return { outcome: `an exception: ${error instanceof Error ? error.name : String(error)}` }
  }
}

/** Seconds since 1970, by the world's clock. */
export const now = (world: World) => Math.floor(world.clock.now() / 1000)

/** The features that properties of tokens need. */
export const row = { needs: ['tokens'], setups: { jwt: { strategy: 'jwt', providers: ['alpha'] } } } as const
