import { findOwnPage } from '../../flows/email/mailed-page.ts'
import { step } from '../../flows/engine/step.ts'
import type { Visit } from '../../http/visit.ts'
import { codeCookie } from './requested-code.ts'

/**
 * Prepares the page that asks for the code, unless the site has its own page. The address comes from the cookie of this browser,
 * because anyone can put an address into a link.
 */
export const prepareForm = step({
  needs: ['visit', 'mailProvider'],
  says: { 'form.prepared': ['codePage'], 'page.replaced': ['elsewhere'] },
  async run({ visit, mailProvider }, world) {
    const elsewhere = findOwnPage(visit, world.settings)
    if (elsewhere !== undefined) return { type: 'page.replaced', elsewhere }
    const code = await codeCookie.peek(visit, world)
    const requested = code?.provider === mailProvider.id ? code : undefined
    return {
      type: 'form.prepared',
      codePage: {
        provider: mailProvider.id,
        attempts: readAttempts(visit),
        mail: requested && {
          email: requested.identifier,
          links: requested.starter?.intent === 'requested',
        },
      },
    }
  },
})

/** Reads the number of attempts left, which the redirect after a wrong code put into the URL. */
function readAttempts({ query }: Visit): number | undefined {
  const attempts = /^[1-4]$/.exec(query.get('attempts') ?? '')?.[0]
  return attempts === undefined ? undefined : Number(attempts)
}
