/** Mutants that no property notices, each with the reason why that is right. One that is noticed has to leave. */
export const explained: Readonly<Record<string, string>> = {
  'config/debug-on': 'Applications of the oracle bring a logger of their own, which hears everything anyway.',
  'config/events-unset': 'Applications of the oracle watch every event, so that none is given as undefined.',
  'config/experiment-untold': 'CF-04 lists what is dangerous, and an experiment is not in it.',
  'config/known-host-told': 'What setEnvDefaults says is said to integrations, which a target is not.',
  'config/no-nonce': 'PKCE binds the sign-in without it; the rows ask for one defence, not for two.',
  'config/null-is-given':
    'Whether null counts as not given is the library’s to choose: its types allow none.',
  'config/odd-provider-throws': 'setEnvDefaults is called by integrations, which a target is not.',
  'config/operations-one-by-one': 'How many of the missing operations one message lists is no row’s matter.',
  'config/prototype-merged': 'Options of a provider come from the developer, and no request reaches them.',
  'config/providers-sorted': 'IL-07 is about what is told of each provider, not about their order.',
  'config/secrets-oldest-first':
    'The numbered variables are a custom of the ecosystem, of which no row speaks.',
  'config/short-session-token': 'Sixteen random bytes can’t be guessed either, and no row asks for more.',
  'config/slow-provider': 'The deadline of the step ends the request all the same, and FI-05 asks for one.',
  'config/trust-guessed': 'Which variables of a platform make it trusted is said to integrations.',
  'config/unknown-host-told-again':
    'What setEnvDefaults says is said to integrations, which a target is not.',
  'config/unknown-host-untold': 'What setEnvDefaults says is said to integrations, which a target is not.',
  'credentials/own-errors-hidden':
    'CB-06 is about CredentialsSignin; other errors of authorize stay refusals.',
  'email/address-of-a-machine':
    'EM-06 asks for a domain of letters, digits and hyphens, and digits are some.',
  'email/case-kept': 'A canonicalisation that keeps the case on every path is one, and EM-05 asks for one.',
  'email/unsent-link-left-working': 'SU-11 lets the link be, where the user is told to try again.',
  'faults/no-deadline-of-requests':
    'The request is aborted at its deadline all the same, and for a fetch that does not heed this the step around it has a deadline that is also in time.',
  'faults/no-deadline-of-steps':
    'The rows ask for a deadline of requests to providers, which have their own; a store that never answers is asked for no answer, and what it left is mended at the next attempt.',
  'mail/address-parsed-again':
    'A target hands messages over; how a mailer writes them is its own tests’ matter.',
  'mail/refusals-overlooked': 'Mail services are spoken to by providers that no target of the oracle has.',
  'mail/theme-unchecked': 'A target hands over the link of a mail, and makes no text of it.',
  'oauth/algorithm-of-the-token':
    'The token library takes an HS256 token only where metadata or registration declare it, and that the row allows.',
  'oauth/cache-across-hooks': 'No provider that the library makes has a hook of its own around fetch.',
  'oauth/cache-without-bound':
    'The addresses that are kept come from configurations alone, so that nobody outside can add to them: it is memory of the process.',
  'oauth/clock-of-the-system':
    'Nothing that an application may configure gives it another clock than the one of its system, so that both are the same.',
  'oauth/code-not-demanded':
    'Without a code the token library sends nothing; a token request of the application’s own has an empty code then, which no provider takes, and no token of the browser is looked at.',
  'oauth/crit-acknowledged':
    'The token library refuses every token whose header has crit, before its signature is looked at.',
  'oauth/deadline-without-end':
    'The request is aborted at its deadline all the same, and for a fetch that does not heed this the step around it has a deadline that is also in time.',
  'oauth/duplicate-iss':
    'The token library refuses an answer with two codes or two issuers as well; only the log names it otherwise.',
  'oauth/error-code-as-it-came':
    'The code of the provider goes to the log alone; what is shown is one code for all of them.',
  'oauth/failed-renewal-forgets':
    'There are as many requests for keys as before, which is what the row bounds; they are asked for once more when a provider has failed to show them.',
  'oauth/leaks-timers':
    'A timer that was not cancelled rings for a promise that is settled, which changes nothing.',
  'oauth/negative-lifetime':
    'The token library refuses the whole response then, so that nothing false is stored.',
  'oauth/userinfo-hook-answers-anything':
    'The hook is the application’s own code, and what it answers goes to its own profile function: the row is about what a provider answers.',
  'oauth/waits-for-the-dead':
    'A request under way ends by its own deadline, which is as long; only a runtime that drops work with the request that began it shows a difference.',
  'oidc/page-in-any-frame': 'X-Frame-Options stays, which the row takes as well.',
  'oidc/refusal-is-malformed':
    'Both are told by a code of the list, and neither signs anybody in; they differ in which of the two codes it is.',
  'pages/any-attribute':
    'Attributes of a field are the application’s own code, their values are escaped, and the policy of the page lets none of them run.',
  'pages/any-type':
    'The type of a field is the application’s own, and is escaped; a browser takes an unknown one for text.',
  'providers/empty-id':
    'An empty id is refused wherever it comes from, by the one who reads the mapped profile.',
  'providers/github-first-address':
    'The profile says of the address that nobody proved it, and so it counts for nothing.',
  'providers/id-by-address':
    'The providers that use it are OpenID providers, whose id_token without a subject is refused before.',
  'races/address-not-read-again':
    'One user results all the same: of two links that are opened at once one is refused, which the row allows.',
  'races/owner-not-awaited':
    'A sign-in that came too early is refused and stays out, and there are one user and one account, as the row demands.',
  'session/any-body-a-session': 'auth() is called by code of the application; a target is asked by requests.',
  'session/any-status-a-session':
    'auth() is called by code of the application; a target is asked by requests.',
  'session/cookies-lost-on-error':
    'SE-12 asks that the failure is told; the cookies are a decision of this library.',
  'session/garbage-announced':
    'SE-11 is about the answer to a sign-out, and not about what is announced of it.',
  'session/hiccup-not-logged': 'FI-08 asks that the answer tells a hiccup from a sign-out, and it does.',
  'session/sign-out-forgets-where-to':
    'Where a sign-out leads that was not told where to is no row’s matter.',
  'session/throws-instead': 'auth() is called by code of the application; a target is asked by requests.',
  'session/token-of-everything': 'What more a token holds is sealed, and no row limits it.',
  'session/token-outlives-session':
    'SE-25 forbids an expiry that is shown too late, and this one is too early.',
  'sign-in/ambiguous-query-read': 'The judge of the response counts state, issuer and code once more.',
  'sign-in/checks-told-as-the-provider': 'TX-02 asks that the answer is refused, by whatever name.',
  'sign-in/empty-check-opens': 'Nobody but the library can seal a check, and it seals no empty one.',
  'sign-in/proxy-trusts-any-state':
    'A state that nobody sealed names no host, and ends in an error either way.',
  'sign-in/secret-in-the-url':
    'Who sends a client secret of their own invention in their own request gains nothing.',
  'token/byte-order-mark-skipped': 'A mark before the claims changes nothing that they say.',
  'token/infinite-age': 'A token whose expiry cannot be written has none, and is refused when it is read.',
  'token/oldest-secret-first':
    'The numbered variables are a custom of the ecosystem, of which no row speaks.',
  'token/site-unread': 'Where nothing tells which cookie is meant, the choice is a decision of this library.',
}
