import { ask, nameAccount, says } from '../../flows/shared/rate-limit.ts'
import { step } from '../../flows/engine/step.ts'

/** Asks whether the current password of the signed-in user may be compared. It counts as a sign-in of the user. */
export const checkChangeRateLimit = step({
  needs: ['visit', 'passwordProvider', 'currentUser'],
  says,
  run: ({ visit, passwordProvider, currentUser: { email } }, world) =>
    ask(
      visit,
      () => ({
        type: 'credentials',
        provider: passwordProvider.id,
        credentials: { email },
        account: nameAccount(email),
      }),
      world,
    ),
})
