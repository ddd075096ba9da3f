/** Edges that no request can take from outside, each with the reason. */
export const unreachable: Readonly<Record<string, string>> = {}

/** Mutants that nothing observable tells from the library, each with the reason. */
export const equivalent: Readonly<Record<string, string>> = {
  'email-verification: checkingRequester -(requester.recognised)-> checkingCsrf instead of resolvingCallbackUrl':
    'a link is followed by GET, which needs no CSRF token, so the detour leads to the same place',
  'email-verification: checkingRequester -(confirmation.waived)-> checkingCsrf instead of resolvingCallbackUrl':
    'a link is followed by GET, which needs no CSRF token, so the detour leads to the same place',
  'email-verification: admitting.creatingUser -(user.created)-> provingAddress instead of issuingSession':
    'the address of a new user is proven already, so there is nothing to note',
}
