import type { OAuthSettings } from '../config/settings.ts'

/**
 * Returns the `max_age` of a sign-in in seconds: the configured one, or a smaller one that the request asks for. A request
 * must not weaken what the site demands.
 *
 * @param parameters those of the sign-in request
 */
export function chooseMaxAge(provider: OAuthSettings, parameters?: URLSearchParams): number | undefined {
  const { url, params } = provider.authorization
  const inUrl = url === undefined ? [] : new URL(url).searchParams.getAll('max_age')
  const configured = params.max_age === undefined ? inUrl : [params.max_age]
  const ages = [...configured, ...(parameters?.getAll('max_age') ?? [])].filter((age) =>
    /^\d{1,9}$/.test(age),
  )
  return ages.length > 0 ? Math.min(...ages.map(Number)) : undefined
}
