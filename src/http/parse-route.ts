import type { AuthAction } from '../types/config.ts'

export interface Route {
  readonly action: AuthAction
  readonly providerId?: string
}

/** Actions, and whether a provider id may follow. */
const actions: ReadonlyMap<string, { readonly action: AuthAction; readonly takesProvider: boolean }> =
  new Map(
    (
      [
        ['callback', true],
        ['csrf', false],
        ['error', false],
        ['providers', false],
        ['session', false],
        ['signin', true],
        ['signout', false],
        ['verify-request', false],
        ['webauthn-options', true],
      ] as const
    ).map(([action, takesProvider]) => [action, { action, takesProvider }]),
  )

/**
 * Reads `<base path>/<action>` or `<base path>/<action>/<provider id>` out of a path, one trailing slash tolerated
 * (decision 31). Everything is compared as it was sent, never decoded, so that no proxy in front of us and no rule on
 * paths sees another route than we do. Whether there is such a provider is not asked here.
 *
 * @param basePath  Without a trailing slash: `/auth`, or the empty string
 */
export function parseRoute(pathname: string, basePath: string): Route | undefined {
  if (!pathname.startsWith(`${basePath}/`)) return undefined
  const [segment = '', providerId, ...more] = pathname
    .slice(basePath.length + 1)
    .replace(/\/$/, '')
    .split('/', 3)
  const known = actions.get(segment)
  if (!known || more.length > 0) return undefined
  if (providerId === undefined) return { action: known.action }
  return known.takesProvider && providerId !== '' ? { action: known.action, providerId } : undefined
}
