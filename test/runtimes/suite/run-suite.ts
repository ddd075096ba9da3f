import { checks } from './checks.ts'
import type { Library } from './library.ts'
import { tokenChecks, mintToken } from './tokens.ts'

/** What a runtime is given beside the library. */
export interface Given {
  /** Tokens that other runtimes have made, by their names. */
  readonly tokens: Readonly<Record<string, string>>
}

/** What a runtime found. */
export interface Found {
  readonly results: readonly { readonly name: string; readonly failure?: string }[]
  /** A token for the others to open. */
  readonly token: string
  /** Has it `node:crypto`, by which the library seals where it can? */
  readonly hasNodeCrypto: boolean
}

/** Runs every check in turn; one that fails does not keep the others from running. */
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

/** On some edge runtimes, looking for a module of Node throws. */
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
