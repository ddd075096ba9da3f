import type { Settings } from '../../config/settings.ts'
import { provideFormToken } from '../shared/check-csrf.ts'
import type { Visit } from '../../http/visit.ts'
import { findNewest } from './requested-links.ts'
import { redirect, type Result, show } from '../engine/result.ts'
import type { World } from '../engine/world.ts'

/**
 * Shows the page that says that a link was sent. The address comes from the browser's own cookies, because anyone can
 * put an address into a link.
 */
export async function showMailed(visit: Visit, world: World): Promise<Result> {
  const { settings } = world
  const own = findOwnPage(visit, settings)
  if (own !== undefined) return redirect(own)
  const provider = settings.providers.get(visit.query.get('provider') ?? '')
  const page = { page: 'verify-request', origin: visit.origin } as const
  const requested = provider?.kind === 'email' ? await findNewest(provider.id, visit, world) : undefined
  if (provider?.kind !== 'email' || !requested) return show(page)
  const mail = {
    email: requested.identifier,
    action: `${visit.base}/signin/${provider.id}`,
    csrfToken: await provideFormToken(visit, world),
    link: requested.starter?.intent === 'requested' ? 'true' : undefined,
    signinUrl: `${visit.base}/signin`,
  }
  return show({ ...page, mail })
}

/** Returns the URL of the page that the site shows instead, with the parameters of this one. */
export function findOwnPage({ origin, query }: Visit, { pages }: Settings): string | undefined {
  if (!pages.verifyRequest) return undefined
  const url = new URL(pages.verifyRequest, origin)
  for (const [name, value] of query) url.searchParams.append(name, value)
  return url.href
}
