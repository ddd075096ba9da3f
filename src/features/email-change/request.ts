import type { Settings } from '../../config/settings.ts'
import { canonicaliseAddress, isSameAddress, normaliseFor } from '../../text/email-address.ts'
import { EmailSignInError } from '../../errors/classes.ts'
import { withRequest } from '../../http/rebuild-request.ts'
import { step } from '../../flows/engine/step.ts'
import { mailing, reportMail } from '../../flows/shared/mailed-proof.ts'
import { chosenOptions } from './chosen-options.ts'

/** Reads the new address in canonical form. A request without a form shows the form. */
export const readAddress = step({
  needs: ['visit', 'currentUser'],
  says: { 'form.wanted': [], 'address.read': ['identifier'], 'address.refused': ['addressObjection'] },
  run({ visit: { method, body, duplicates }, currentUser }, { settings }) {
    if (method === 'GET') return { type: 'form.wanted' }
    const identifier = duplicates.length > 0 ? undefined : normalise(body.email, settings)
    if (identifier === undefined) return { type: 'address.refused', addressObjection: 'invalid' }
    if (isSameAddress(identifier, currentUser.email))
      return { type: 'address.refused', addressObjection: 'same' }
    return { type: 'address.read', identifier }
  },
})

/** Normalises an address as the sign-in by mail does, which looks the user up by it later. */
function normalise(raw: unknown, { providers, logger }: Settings): string | undefined {
  const report = (thrown: Error) => logger.error(new EmailSignInError('Invalid e-mail address', thrown))
  for (const provider of providers.values()) {
    if (provider.kind === 'email') return normaliseFor(provider, raw, report)
    if (provider.kind === 'password') return normaliseFor(provider.mail, raw, report)
  }
  return canonicaliseAddress(raw)
}

/** Sends the link. */
export const sendLink = step({
  needs: ['visit', 'currentUser', 'identifier', 'linkToken', 'storedToken'],
  says: mailing,
  run({ visit, currentUser: user, identifier: to, linkToken, storedToken }, world) {
    const query = new URLSearchParams({ token: linkToken })
    const url = `${visit.base}/email-change-confirm?${query}`
    const mail = { to, url, expires: storedToken.expires, user }
    return reportMail(() => chosenOptions(world).sendLink(withRequest(mail, visit)))
  },
})

/** Notifies the owner of an address that it already has an account. The response is the same as for a sent link. */
export const warnOwner = step({
  needs: ['visit', 'identifier', 'addressee'],
  says: mailing,
  run({ visit, identifier, addressee }, world) {
    return reportMail(() =>
      chosenOptions(world).sendNotice(withRequest({ type: 'taken', to: identifier, user: addressee }, visit)),
    )
  },
})
