/** Edges that no request can take, each with the reason. */
export const unreachable: Readonly<Record<string, string>> = {
  'webauthn: enrolling.issuingSession.recheckingStamp -(user.denied)->':
    'a registration reads no stamp, but looks up its session again',
  'password-change: checkingSession -(session.stale)->': 'the change accepts a session of any age',
  'email-change-confirm: checkingSession -(session.stale)->': 'the change accepts a session of any age',
}

/** Equivalent mutants, each with the reason. */
export const equivalent: Readonly<Record<string, string>> = {
  'factor: resuming -(fault)-> elevating instead of restoringCode':
    'a sign-in that is held has no session to replace, so the next step throws, which leads to the same state',
  'email-verification: checkingRequester -(confirmation.waived)-> checkingCsrf instead of resolvingCallbackUrl':
    'a link is followed by GET, which needs no CSRF token, so the detour leads to the same state',
  'email-verification: admitting.describingNewcomer -(authentication.described)-> provingAddress instead of issuingSession':
    'the address of a new user is already verified, so there is nothing to store',
  'email-verification: admitting.decidingUser -(address.contested)-> decidingStarter instead of releasingAddress':
    'nobody requested the link while signed in, so the next step decides the same',
  'mail-code-guess: admitting.describingNewcomer -(authentication.described)-> provingAddress instead of issuingSession':
    'the address of a new user is already verified, so there is nothing to store',
  'mail-code-guess: admitting.decidingUser -(address.contested)-> decidingStarter instead of releasingAddress':
    'nobody requested the code while signed in, so the next step decides the same',
  'password-reset: admitting.describingNewcomer -(authentication.described)-> provingAddress instead of storingPassword':
    'the address of a new user is already verified, so there is nothing to store',
  'password-reset: admitting.decidingUser -(user.known)-> rereading instead of checkingFactor':
    'the user of the address is read once more, and is the same',
  'callback: admitting.seekingOwner -(owner.returning)-> rereading instead of checkingFactorOfOwner':
    'the account is read once more, and belongs to the same user',
  'callback: admitting.confirmingUser -(user.created)-> revokingAccess instead of linkingAccount':
    'a user who was just stored has neither sessions nor passkeys',
  'callback: admitting.confirmingAccount -(account.linked)-> updatingAccount instead of issuingSession':
    'the same tokens are stored a second time',
}
