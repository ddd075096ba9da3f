import type { PasswordSettings } from '../../config/settings.ts'
import { provideFormToken } from '../shared/check-csrf.ts'
import type { Visit } from '../../http/visit.ts'
import type { PasswordPage } from '../../pages/page.ts'
import { step } from '../engine/step.ts'
import type { World } from '../engine/world.ts'

/** The members of a form that come from a link or a refused attempt. */
type Filled = Pick<PasswordPage, 'token' | 'email' | 'complaint'>

/** Builds the form of a link, or the form after a refused attempt, with a CSRF token of this browser. */
export const prepareForm = step({
  needs: ['visit', 'passwordProvider'],
  may: ['identifier', 'linkToken', 'objection'],
  says: { 'form.prepared': ['passwordForm'] },
  async run({ visit, passwordProvider, identifier, linkToken, objection }, world) {
    const filled = { email: identifier, token: linkToken, complaint: objection }
    const passwordForm = await buildForm(visit, passwordProvider, world, filled)
    return { type: 'form.prepared', passwordForm }
  },
})

/** Builds a form with a CSRF token of this browser. */
export async function buildForm(
  visit: Visit,
  { id, passwords: { minLength } }: PasswordSettings,
  world: World,
  filled: Filled,
): Promise<PasswordPage> {
  return {
    page: 'password',
    origin: visit.origin,
    form: formOf(visit),
    action: `${visit.base}/${visit.action}/${id}`,
    csrfToken: await provideFormToken(visit, world),
    minLength,
    callbackUrl: readCallbackUrl(visit),
    ...filled,
  }
}

function formOf({ action }: Visit): PasswordPage['form'] {
  return action === 'password-reset' || action === 'password-change' ? action : 'password'
}

/** Passed from form to form. The flow that redirects to this URL checks it. */
function readCallbackUrl({ query, body }: Visit): string | undefined {
  const told = body.callbackUrl ?? query.get('callbackUrl')
  return typeof told === 'string' ? told : undefined
}
