/** Reasons why no property detects a mutated chart, with the mutants that each explains. */
const reasons: Readonly<Record<string, readonly string[]>> = {
  'Ending older links is an option of this library only, and its own tests detect the mutant.': [
    'email-request: endOlderLinks is taken out',
    'email-request: endOlderLinks always says older-links.ended',
    'email-verification: endOlderLinks is taken out',
    'email-verification: endOlderLinks always says older-links.ended',
  ],
  'A link is followed by GET, which needs no CSRF token, so that the detour leads to the same place.': [
    'email-verification: checkingRequester -(confirmation.waived)-> checkingCsrf instead of resolvingCallbackUrl',
  ],
  'Sign-out at the provider is an option of this library only, and its own tests detect the mutant.': [
    'sign-out: askEndSession always says logout.local',
    'sign-out: askingEndSession -(logout.wanted)-> askingEndSession instead of locatingLogout',
    'sign-out: locatingLogout -(logout.located)-> locatingLogout instead of signedOut',
    'sign-out: locatingLogout -(logout.unavailable)-> locatingLogout instead of signedOut',
    'sign-out: locateLogout is taken out',
    'sign-out: locateLogout always says logout.located',
    'sign-out: locateLogout always says logout.unavailable',
  ],
  'The adapters of the ecosystem, as the store of the oracle is one, have no updateAccount.': [
    'callback: updateAccount always says tokens.kept',
  ],
  'A sign-in that another one overtakes may succeed or be rejected. Only the rows must be consistent, and they are.':
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
  "The challenge in the browser's cookie protects a passkey response. The additional token is specific to this library.":
    [
      'webauthn: checkingCsrf -(csrf.mismatched)-> sentElsewhere instead of refused',
      'webauthn: checkCsrf always says csrf.accepted',
    ],
  'The store rejects a second user with the same address, and the library then reads the first one again.': [
    'email-verification: decideUser always says user.new',
  ],
  'SU-11 allows the link to stay valid if the user is asked to try again.': [
    'email-request: withdrawToken always says token.withdrawn',
  ],
  'The store keeps no session of an unknown user, so the sign-in is rejected anyway.': [
    'credentials: findMember always says member.found',
    'credentials: findMember always says member.unneeded',
  ],
}

/** Why no property detects these chart mutants, by name. */
export const explainedCharts: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(reasons).flatMap(([reason, ids]) => ids.map((id) => [id, reason])),
)
