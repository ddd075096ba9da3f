/** Packages that a part of the oracle is made of, and that come with it only when they are asked for. */
const parts = [
  ['fast-check', 'tough-cookie'],
  ['smtp-server', 'postal-mime', '@remix-run/node-fetch-server'],
]

/**
 * Loads a part of the oracle, or a package for something else.
 *
 * @throws {Error} that says what to install, when a package of that part isn't there
 */
export async function loadPart<Part>(load: () => Promise<Part>, what?: string): Promise<Part> {
  try {
    return await load()
  } catch (error) {
    const missing = nameMissing(error)
    const part =
      what === undefined ? parts.find((names) => names.some((name) => name === missing)) : [missing]
    if (!part || missing === undefined) throw error
    throw new Error(
      `${what ?? 'The oracle'} needs ${missing}, which is not installed: npm install --save-dev ${part.join(' ')}`,
      { cause: error },
    )
  }
}

function nameMissing(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND')
    return undefined
  return /Cannot find package '([^']+)'/.exec(error.message)?.[1]
}
