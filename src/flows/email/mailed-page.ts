import type { EmailSettings } from '../../config/settings.ts'
import { provideFormToken } from '../shared/check-csrf.ts'
import type { Visit } from '../../http/visit.ts'
import { codeCookie } from './requested-code.ts'
import { findNewest } from './requested-links.ts'
import { type Result, show } from '../engine/result.ts'
import type { World } from '../engine/world.ts'

/**
 * Shows the built-in page that says that a mail was sent. The address comes from the browser's own cookies, because anyone
 * can put an address into a link.
 */
export async function showMailed(visit: Visit, world: World): Promise<Result> {
  const { settings } = world
  const provider = settings.providers.get(visit.query.get('provider') ?? '')
  const page = { page: 'verify-request', origin: visit.origin } as const
  if (provider?.kind !== 'email') return show(page)
  const requested = await findRequested(provider, visit, world)
  if (!requested && provider.method === 'link') return show(page)
  const csrfToken = await provideFormToken(visit, world)
  const mail = requested && {
    email: requested.identifier,
    action: `${visit.base}/signin/${provider.id}`,
    csrfToken,
    link: requested.starter?.intent === 'requested' ? 'true' : undefined,
    signinUrl: `${visit.base}/signin`,
  }
  const form = provider.method === 'code' ? createCodeForm(provider.id, csrfToken, visit) : undefined
  return show({ ...page, form, mail })
}

async function findRequested({ id, method }: EmailSettings, visit: Visit, world: World) {
  if (method === 'link') return findNewest(id, visit, world)
  const code = await codeCookie.peek(visit, world)
  return code?.provider === id ? code : undefined
}

function createCodeForm(id: string, csrfToken: string | undefined, { base, query }: Visit) {
  const attempts = /^[1-4]$/.exec(query.get('attempts') ?? '')?.[0]
  return {
    action: `${base}/callback/${id}`,
    csrfToken,
    attempts: attempts === undefined ? undefined : Number(attempts),
  }
}
