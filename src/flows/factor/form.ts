import { provideCsrf } from '../../http/csrf.ts'
import { sealSetup } from '../../second-factor/factor-setup.ts'
import { step } from '../engine/step.ts'

/** Builds the form for a code, with the reason if it is shown again. */
export const prepareForm = step({
  needs: ['visit', 'callbackUrl'],
  may: ['setup', 'currentUser', 'pending'],
  says: { 'form.prepared': ['factorForm'] },
  async run({ visit, callbackUrl, setup, currentUser, pending }, { settings, keys, platform, out }) {
    const csrf = settings.csrf ? await provideCsrf(visit, settings) : { token: undefined, cookies: [] }
    out.setCookies(csrf.cookies)
    const { secondFactor } = settings
    const enrolment = setup && {
      secret: setup.secret,
      uri: (await secondFactor?.describe(setup.secret, labelOf(currentUser))) ?? '',
      sealed: await sealSetup(setup, keys, platform.now()),
    }
    const factorForm = {
      page: 'factor',
      action: `${visit.base}/${visit.action}`,
      csrfToken: csrf.token,
      callbackUrl,
      isWrong: visit.method === 'POST',
      canRemember: pending !== undefined && (secondFactor?.rememberFor ?? 0) > 0,
      enrolment,
    } as const
    return { type: 'form.prepared', factorForm }
  },
})

/** The account as the app shows it. */
function labelOf(user?: {
  readonly id: string
  readonly email?: string | null
  readonly name?: string | null
}) {
  return user?.email || user?.name || String(user?.id)
}
