/** Reasons why no property notices a broken chart, with the mutants that each is about. */
const reasons: Readonly<Record<string, readonly string[]>> = {
  'An application without CSRF protection is what nobody should have, and no target is given one.': [
    'sign-in: checkingCsrf -(csrf.unneeded)-> checkingCsrf instead of resolvingCallbackUrl',
    'email-request: checkingCsrf -(csrf.unneeded)-> checkingCsrf instead of resolvingCallbackUrl',
    'email-verification: checkingCsrf -(csrf.unneeded)-> checkingCsrf instead of resolvingCallbackUrl',
    'credentials: checkingCsrf -(csrf.unneeded)-> checkingCsrf instead of resolvingCallbackUrl',
    'webauthn: checkingCsrf -(csrf.unneeded)-> checkingCsrf instead of resolvingCallbackUrl',
    'sign-out: checkingCsrf -(csrf.unneeded)-> checkingCsrf instead of resolvingCallbackUrl',
  ],
  'Limits of attempts are an option of this library alone, whose own tests notice it.': [
    'email-request: askingRateLimit -(attempt.excessive)-> sentElsewhere instead of denied',
    'email-request: askRateLimit always says attempt.allowed',
    'credentials: askingRateLimit -(attempt.excessive)-> sentElsewhere instead of denied',
    'credentials: askRateLimit always says attempt.allowed',
    'email-verification: askingRateLimit -(attempt.excessive)-> sentElsewhere instead of denied',
    'email-verification: askRateLimit always says attempt.allowed',
  ],
  'Ending older links is an option of this library alone, whose own tests notice it.': [
    'email-request: endOlderLinks is taken out',
    'email-request: endOlderLinks always says older-links.ended',
    'email-verification: endOlderLinks is taken out',
    'email-verification: endOlderLinks always says older-links.ended',
  ],
  'A link is followed by GET, which needs no CSRF token, so that the detour leads to the same place.': [
    'email-verification: checkingRequester -(requester.recognised)-> checkingCsrf instead of resolvingCallbackUrl',
    'email-verification: checkingRequester -(confirmation.waived)-> checkingCsrf instead of resolvingCallbackUrl',
  ],
  'Signing out at the provider is an option of this library alone, whose own tests notice it.': [
    'sign-out: askEndSession always says logout.local',
    'sign-out: askingEndSession -(logout.wanted)-> askingEndSession instead of locatingLogout',
    'sign-out: locatingLogout -(logout.located)-> locatingLogout instead of signedOut',
    'sign-out: locatingLogout -(logout.unavailable)-> locatingLogout instead of signedOut',
    'sign-out: locateLogout is taken out',
    'sign-out: locateLogout always says logout.located',
    'sign-out: locateLogout always says logout.unavailable',
  ],
  'The adapters of the ecosystem, as the store of the oracle is one, have no updateAccount.': [
    'callback: admitting.updatingAccount -(account.updated)-> updatingAccount instead of issuingSession',
    'callback: updateAccount always says account.updated',
    'callback: updateAccount always says account.unchanged',
  ],
  'Whoever is overtaken by another sign-in may be let in or told to try again; rows have to stay whole, and do.':
    [
      'callback: rereadOwner is taken out',
      'callback: rereadOwner always says conflict.unexplained',
      'email-verification: rereadAddressee is taken out',
      'email-verification: rereadAddressee always says user.known',
      'email-verification: rereadAddressee always says conflict.unexplained',
      'webauthn: explainConflict is taken out',
      'webauthn: explainConflict always says account.taken',
      'webauthn: explainConflict always says conflict.unexplained',
    ],
  'The challenge in the cookie of its browser guards the answer of a passkey; the token beside it is this library’s own.':
    [
      'webauthn: checkingCsrf -(csrf.mismatched)-> sentElsewhere instead of refused',
      'webauthn: checkCsrf always says csrf.verified',
      'webauthn: checkCsrf always says csrf.unneeded',
    ],
  'The store refuses a second user of one address, and the first one is read again then.': [
    'email-verification: decideUser always says user.new',
  ],
  'SU-11 lets the link be, where the user is told to try again.': [
    'email-request: withdrawToken always says token.withdrawn',
  ],
  'The store keeps no session of a user whom it does not have, and the sign-in is refused by that.': [
    'credentials: findMember always says member.found',
    'credentials: findMember always says member.unneeded',
  ],
}

/** Why no property notices these mutants of charts, by their names. */
export const explainedCharts: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(reasons).flatMap(([reason, ids]) => ids.map((id) => [id, reason])),
)
