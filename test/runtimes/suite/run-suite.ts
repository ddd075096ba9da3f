import { checks } from './checks.ts'
import type { Library } from './library.ts'
import { tokenChecks, mintToken } from './tokens.ts'

/** The input of a run, besides the library. */
export interface Given {
  /** Tokens of other runtimes, by name. */
  readonly tokens: Readonly<Record<string, string>>
}

/** The results of a runtime. */
export interface Found {
  readonly results: readonly { readonly name: string; readonly failure?: string }[]
  /** A token for the other runtimes to open. */
  readonly token: string
  /** Whether it has `node:crypto`, which the library prefers for tokens. */
  readonly hasNodeCrypto: boolean
}

/** Runs all checks in sequence, even after a failure. */
export async function runSuite(library: Library, { tokens }: Given): Promise<Found> {
  const results: { name: string; failure?: string }[] = []
  for (const [name, check] of [...checks, ...tokenChecks(tokens)]) {
    try {
      await check(library)
      results.push({ name })
    } catch (error) {
      results.push({ name, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  }
  const hasNodeCrypto = findNodeCrypto() !== undefined
  return { results, token: await mintToken(library), hasNodeCrypto }
}

/** On some edge runtimes, looking up a Node module throws. */
function findNodeCrypto(): unknown {
  const process: { getBuiltinModule?: (name: string) => unknown } | undefined = Reflect.get(
    globalThis,
    'process',
  )
  try {
    return process?.getBuiltinModule?.('node:crypto')
  } catch {
    return undefined
  }
}
