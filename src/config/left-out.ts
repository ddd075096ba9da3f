import { type AuthError, MissingClientId } from '../errors/classes.ts'

/** The error of an incomplete provider, and the variables that complete it. */
export interface Lack {
  readonly error: AuthError
  /** The environment variables that would complete the provider. */
  readonly variables: readonly string[]
}

/**
 * Returns one error about all providers that a site does not offer, because an application may list dozens of them.
 * @param leftOut the providers that are left out, by id
 */
export function describeLeftOut(leftOut: ReadonlyMap<string, Lack>): AuthError | undefined {
  const [first, ...others] = leftOut.values()
  if (!first || others.length === 0) return first?.error
  const ids = [...leftOut.keys()].map((id) => `"${id}"`)
  const variables = [...leftOut.values()].flatMap((lack) => lack.variables)
  return new MissingClientId(
    `${ids.length} providers are incomplete, so the site does not offer them: ${ids.join(', ')}. ` +
      `Remove those that you do not use, and set the missing options of the others, or their environment variables: ` +
      variables.map((name) => `\`${name}\``).join(', '),
  )
}
