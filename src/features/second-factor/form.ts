import { cutText } from '../../text/cut-text.ts'
import { provideFormToken } from '../../flows/shared/check-csrf.ts'
import type { Visit } from '../../http/visit.ts'
import type { FactorPage } from '../../pages/page.ts'
import { setupField } from './seal-totp-secret.ts'
import { drawQrCode } from '../../pages/qr-code.ts'
import type { SecondFactor } from './types.ts'
import { step } from '../../flows/engine/step.ts'
import { listPasskeys } from './passkey.ts'

/** Builds the form for a code, with the reason if it is shown again. */
export const prepareForm = step({
  needs: ['visit', 'callbackUrl'],
  may: ['setup', 'currentUser', 'heldSignIn', 'token', 'session'],
  says: { 'form.prepared': ['factorForm'] },
  async run({ visit, callbackUrl, setup, ...asked }, world) {
    const { secondFactor } = world.settings.optional
    const { currentUser, heldSignIn } = asked
    const enrolment = setup && {
      ...(await describeSecret(setup.secret, currentUser, secondFactor)),
      sealed: await setupField.seal(setup, world),
    }
    const found = enrolment ? undefined : await listPasskeys(asked, world)
    const usesScript =
      found !== undefined && found.webauthnProvider.config.simpleWebAuthnBrowserVersion !== false
    const factorForm: FactorPage = {
      page: 'factor',
      origin: visit.origin,
      action: `${visit.base}/${visit.action}`,
      csrfToken: await provideFormToken(visit, world),
      callbackUrl,
      refused: visit.method === 'POST' ? nameRefused(visit) : undefined,
      canRemember: heldSignIn !== undefined && (secondFactor?.rememberFor ?? 0) > 0,
      enrolment,
      passkeyBase: usesScript ? visit.base : undefined,
    }
    return { type: 'form.prepared', factorForm }
  },
})

async function describeSecret(secret: string, user?: Labelled, secondFactor?: SecondFactor) {
  const uri = (await secondFactor?.describe(secret, labelOf(user))) ?? ''
  return { secret, uri, qrCode: await drawQrCode(uri) }
}

/** A form of the page's script has the response of a passkey. */
function nameRefused({ body }: Visit): FactorPage['refused'] {
  return body.data === undefined ? 'code' : 'passkey'
}

/** The longest address. */
const longestLabel = 254

interface Labelled {
  readonly id: string
  readonly email?: string | null
  readonly name?: string | null
}

/**
 * The account as the app shows it. The provider chose the name, which may contain a lone surrogate that a URL cannot
 * encode.
 */
function labelOf(user?: Labelled): string {
  return cutText(user?.email || user?.name || '', longestLabel) || String(user?.id)
}
