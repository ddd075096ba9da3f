import { createAuth } from '../../../src/index.ts'
import GitHub from '../../../src/providers/github.ts'
import { totp } from '../../../src/second-factor.ts'
import { adapter } from './store.ts'

export const auth = createAuth({
  adapter,
  providers: [GitHub],
  secondFactor: totp({ issuer: 'Example', rememberFor: 30 * 86_400 }),
})

/** A page for payments: needs the second factor, entered within the last ten minutes. */
export async function showPayments(request: Request): Promise<Response> {
  const found = await auth.requireSession(request, { factor: true, freshness: 600 })
  if (!('session' in found)) return found
  return Response.json({ payer: found.session.user.name })
}
