import type { OAuthSettings } from '../config/settings.ts'

/**
 * Returns the `max_age` of a sign-in in seconds: the configured one, or a smaller one that the request asks for. A request
 * must not weaken the requirement of the site.
 *
 * @param parameters the parameters of the sign-in request
 */
export function chooseMaxAge(provider: OAuthSettings, parameters?: URLSearchParams): number | undefined {
  const ages = [...configuredAges(provider), ...(parameters?.getAll('max_age') ?? [])].filter((age) =>
    /^\d{1,9}$/.test(age),
  )
  return ages.length > 0 ? Math.min(...ages.map(Number)) : undefined
}

function configuredAges({ authorization: { url, params } }: OAuthSettings): readonly string[] {
  if (params.max_age !== undefined) return [params.max_age]
  return url === undefined ? [] : new URL(url).searchParams.getAll('max_age')
}
