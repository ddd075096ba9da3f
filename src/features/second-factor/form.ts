import { cutText } from '../../text/cut-text.ts'
import type { Visit } from '../../http/visit.ts'
import { scriptUrl } from '../../webauthn/script-url.ts'
import type { ShownForm } from './pages.ts'
import { setupField } from './seal-totp-secret.ts'
import { step } from '../../flows/engine/step.ts'
import { listPasskeys } from './passkey.ts'

/** Builds the form for a code, with the reason if it is shown again. */
export const prepareForm = step({
  needs: ['visit'],
  may: ['setup', 'currentUser', 'heldSignIn', 'token', 'session'],
  says: { 'form.prepared': ['factorForm'] },
  async run({ visit, setup, ...asked }, world) {
    const { secondFactor } = world.settings.optional
    const { currentUser, heldSignIn } = asked
    const enrolment = setup && {
      secret: setup.secret,
      uri: (await secondFactor?.describe(setup.secret, labelOf(currentUser))) ?? '',
      sealed: await setupField.seal(setup, world),
    }
    const found = enrolment ? undefined : await listPasskeys(asked, world)
    const usesScript =
      found !== undefined && found.webauthnProvider.config.simpleWebAuthnBrowserVersion !== false
    const { base, action } = visit
    const factorForm: ShownForm = {
      refused: visit.method === 'POST' ? nameRefused(visit) : undefined,
      canRemember: heldSignIn !== undefined && (secondFactor?.rememberFor ?? 0) > 0,
      enrolment,
      passkeys: usesScript ? { url: `${base}/${action}`, script: scriptUrl(base) } : undefined,
    }
    return { type: 'form.prepared', factorForm }
  },
})

/** A form of the page's script has the response of a passkey. */
function nameRefused({ body }: Visit): ShownForm['refused'] {
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
