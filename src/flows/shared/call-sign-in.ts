import { asError } from '../../errors/as-error.ts'
import { AccessDenied, AuthError } from '../../errors/classes.ts'
import { copyMembers } from '../../http/rebuild-request.ts'
import type { Visit } from '../../http/visit.ts'
import type { CredentialInput } from '../../types/provider.ts'
import { step, type Report } from '../engine/step.ts'

const says = {
  'signin.allowed': [],
  'user.denied': ['failure'],
  'sent.elsewhere': ['elsewhere'],
} as const

/** Calls the signIn callback. An error that is not one of ours becomes AccessDenied with the same message. */
export const callSignIn = step({
  needs: ['visit', 'candidate', 'account'],
  may: ['owner', 'addressee', 'profile', 'typedAddress', 'mailing', 'credentials', 'passed'],
  says,
  async run(facts, { settings }) {
    // Before a gate held the sign-in, the callback allowed it.
    if (facts.passed) return { type: 'signin.allowed' }
    const { visit, candidate, account, owner, addressee, mailing, credentials, typedAddress } = facts
    const typed =
      typedAddress === undefined ? undefined : { email: typedAddress || null, email_verified: false }
    const profile = facts.profile ?? typed
    const ask = () =>
      settings.callbacks.signIn({
        user: owner ?? addressee ?? candidate,
        account,
        ...(profile && { profile }),
        ...(mailing && { email: { ...mailing } }),
        ...(credentials && { credentials: copyMembers(credentials) as Record<string, CredentialInput> }),
      })
    try {
      return checkSignIn(await ask(), visit)
    } catch (error) {
      const failure = error instanceof AuthError ? error : new AccessDenied(asError(error))
      return { type: 'user.denied', failure }
    }
  },
})

function checkSignIn(answer: unknown, { origin }: Visit): Report<typeof says> {
  if (typeof answer === 'string' && answer !== '')
    return { type: 'sent.elsewhere', elsewhere: new URL(answer, origin).href }
  if (answer) return { type: 'signin.allowed' }
  return { type: 'user.denied', failure: new AccessDenied('The signIn callback refused the sign-in') }
}
