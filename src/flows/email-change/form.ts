import { provideFormToken } from '../shared/check-csrf.ts'
import { step } from '../engine/step.ts'

/** Builds the form for a new address, with the reason if it is shown again. */
export const prepareForm = step({
  needs: ['visit', 'currentUser'],
  may: ['addressObjection'],
  says: { 'form.prepared': ['addressForm'] },
  async run({ visit, currentUser, addressObjection }, world) {
    const addressForm = {
      page: 'email-change',
      origin: visit.origin,
      stage: 'request',
      action: `${visit.base}/email-change`,
      csrfToken: await provideFormToken(visit, world),
      current: currentUser.email || undefined,
      objection: addressObjection,
    } as const
    return { type: 'form.prepared', addressForm }
  },
})

/** Builds the page of a link, whose button changes the address. */
export const prepareConfirmation = step({
  needs: ['visit', 'currentUser', 'identifier', 'linkToken'],
  says: { 'confirmation.prepared': ['addressForm'] },
  async run({ visit, currentUser, identifier, linkToken }, world) {
    const addressForm = {
      page: 'email-change',
      origin: visit.origin,
      stage: 'confirm',
      action: `${visit.base}/email-change-confirm`,
      csrfToken: await provideFormToken(visit, world),
      current: currentUser.email || undefined,
      email: identifier,
      token: linkToken,
    } as const
    return { type: 'confirmation.prepared', addressForm }
  },
})
