import { explainedCharts } from './explained-charts.ts'

/** Mutants that no property notices, each with the reason why that is right. One that is noticed has to leave. */
export const explained: Readonly<Record<string, string>> = {
  'config/debug-on': 'Applications of the oracle bring a logger of their own, which hears everything anyway.',
  'config/events-unset': 'Applications of the oracle watch every event, so that none is given as undefined.',
  'config/experiment-untold': 'CF-04 lists what is dangerous, and an experiment is not in it.',
  'config/known-host-told': 'What setEnvDefaults says is said to integrations, which a target is not.',
  'config/no-nonce': 'PKCE binds the sign-in without it; the rows ask for one defence, not for two.',
  'config/odd-provider-throws': 'setEnvDefaults is called by integrations, which a target is not.',
  'config/operations-one-by-one': 'How many of the missing operations one message lists is no row’s matter.',
  'config/providers-sorted': 'IL-07 is about what is told of each provider, not about their order.',
  'config/secrets-oldest-first':
    'The numbered variables are a custom of the ecosystem, of which no row speaks.',
  'config/short-session-token': 'Sixteen random bytes can’t be guessed either, and no row asks for more.',
  'config/slow-provider': 'The deadline of the step ends the request all the same, and FI-05 asks for one.',
  'config/trust-guessed': 'Which variables of a platform make it trusted is said to integrations.',
  'config/unknown-host-untold': 'What setEnvDefaults says is said to integrations, which a target is not.',
  'cookies/cleared-with-old-expiry':
    'Only options with an Expires of their own keep it, and Max-Age=0 wins over it in every user agent (RFC 6265 5.3).',
  'cookies/comma-in-name': 'The names of cookies come from the developer, and no request reaches them.',
  'cookies/comma-in-path': 'The paths of cookies come from the developer, and no request reaches them.',
  'cookies/custom-encoder-trusted':
    'The encoder is the application’s own, and what it leaves unsafe in a value the cookie package refuses to write.',
  'cookies/inherited-names':
    'Only cookies of configured names are asked for, and no object inherits a member of such a name.',
  'cookies/state-without-end':
    'CK-01 asks for attributes, and of the end of a check cookie nothing; what is sealed in it ends by itself, and its Expires is there (TX-04).',
  'cookies/value-up-to-the-brim':
    'A piece is never longer than 4096 bytes with all its attributes, which is what CK-03 asks for.',
  'credentials/own-errors-hidden':
    'CB-06 is about CredentialsSignin; other errors of authorize stay refusals.',
  'email/address-of-a-machine':
    'EM-06 asks for a domain of letters, digits and hyphens, and digits are some.',
  'email/address-of-the-store-not-compared':
    'A store that answers the row of another address breaks its contract; the library’s own tests have one that does.',
  'email/unsent-link-left-working': 'SU-11 lets the link be, where the user is told to try again.',
  'faults/cookie-before-all-is-done':
    'What comes after the session cookie there is made of the platform’s randomness alone, which no target lets fail.',
  'faults/no-deadline-of-requests':
    'The request is aborted at its deadline all the same, and for a fetch that does not heed this the step around it has a deadline that is also in time.',
  'faults/no-deadline-of-steps':
    'The rows ask for a deadline of requests to providers, which have their own; a store that never answers is asked for no answer, and what it left is mended at the next attempt.',
  'handler/bad-request-as-page': 'The status is 400 as before, and LM-01 does not say what is shown with it.',
  'handler/not-found-as-word': 'The status is 404 as before, and HH-03 does not say what is shown with it.',
  'handler/session-of-nothing':
    'Targets are asked through their handler; what createAuth makes of its answers lies outside.',
  'handler/session-without-cookies':
    'Targets are asked through their handler; what createAuth makes of its answers lies outside.',
  'http/arrays-as-bodies':
    'A list has no member that any route reads, so that it does what an empty body does, and is refused for want of a CSRF token.',
  'http/bad-bytes-replaced':
    'What is no UTF-8 is read with U+FFFD in its place, as by the web platform; no row tells such texts from others.',
  'http/bad-escapes-replaced':
    'What is no UTF-8 is read with U+FFFD in its place, as by the web platform; no row tells such texts from others.',
  'http/callback-url-of-any-kind':
    'Whatever is written, the URL that a browser makes of it is judged by scheme and origin, and is what is sent on.',
  'http/callback-url-of-any-scheme':
    'Whatever is written, the URL that a browser makes of it is judged by scheme and origin, and is what is sent on.',
  'http/callback-url-of-odd-origin':
    'What begins with a slash or http has the scheme of the application, or http, before this is asked.',
  'http/callback-url-with-backslashes':
    'Whatever is written, the URL that a browser makes of it is judged by scheme and origin, and is what is sent on.',
  'http/callback-url-with-controls':
    'Whatever is written, the URL that a browser makes of it is judged by scheme and origin, and is what is sent on.',
  'http/callback-url-with-user':
    'A name and a password do not change the host, which is judged by the same parser that browsers have.',
  'http/first-field-wins':
    'Of a field that came twice either value may count; where it matters, both are refused (TX-12).',
  'http/first-set-cookie-wins':
    'The one cookie that is changed twice in a response is that of a bad target, cleared and set to the base URL, which is the same.',
  'http/framed': 'The policy of the page has frame-ancestors, which CK-13 takes as well as X-Frame-Options.',
  'http/head-as-get': 'No route has the method HEAD, so that it is 405 with Allow all the same.',
  'http/location-raw':
    'Every location was written by the URL parser before it comes here, which leaves nothing to encode.',
  'http/location-surrogate-throws':
    'Every location was written by the URL parser before it comes here, which leaves no half of a character.',
  'http/provider-after-any-action':
    'An action without providers has no route with one, so that it is 404 all the same (or 500, where a bad configuration leaves no route).',
  'http/redirect-repeats-the-post': 'Every answer with a location has the status 302 before it comes here.',
  'mail/address-parsed-again':
    'A target hands messages over; how a mailer writes them is its own tests’ matter.',
  'mail/refusals-overlooked': 'Mail services are spoken to by providers that no target of the oracle has.',
  'mail/theme-unchecked': 'A target hands over the link of a mail, and makes no text of it.',
  'oauth/empty-iss-is-none':
    'A parameter without a value may be taken for one that was left out (RFC 6749 3.1); where the metadata announces an iss, it is refused all the same.',
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
  'oauth/renewals-not-shared':
    'Only sign-ins that look for their keys in one turn of the event loop ask twice, and the row asks for a bound, which is kept.',
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
  'session/any-status-a-session':
    'auth() is called by code of the application; a target is asked by requests.',
  'session/cookies-lost-on-error':
    'SE-12 asks that the failure is told; the cookies are a decision of this library.',
  'session/garbage-announced':
    'SE-11 is about the answer to a sign-out, and not about what is announced of it.',
  'session/hiccup-not-logged': 'FI-08 asks that the answer tells a hiccup from a sign-out, and it does.',
  'session/proof-by-query':
    'A token in the URL is one that nobody else has all the same, and the row asks for a proof, wherever it comes.',
  'session/sign-out-forgets-where-to':
    'Where a sign-out leads that was not told where to is no row’s matter.',
  'session/throws-instead': 'auth() is called by code of the application; a target is asked by requests.',
  'session/token-of-everything': 'What more a token holds is sealed, and no row limits it.',
  'session/token-outlives-session':
    'SE-25 forbids an expiry that is shown too late, and this one is too early.',
  'sign-in/address-refuses-a-late-owner':
    'A sign-in that came too early is refused and stays out, and there are one user and one account, as the row demands.',
  'sign-in/ambiguous-query-read': 'The judge of the response counts state, issuer and code once more.',
  'sign-in/checks-told-as-the-provider': 'TX-02 asks that the answer is refused, by whatever name.',
  'sign-in/empty-check-opens': 'Nobody but the library can seal a check, and it seals no empty one.',
  'sign-in/secret-in-the-url':
    'Who sends a client secret of their own invention in their own request gains nothing.',
  'sign-in/target-before-the-body':
    'Both are judged alike, and no row says which of the two counts where a request names two targets.',
  'token/byte-order-mark-skipped': 'A mark before the claims changes nothing that they say.',
  'token/infinite-age': 'A token whose expiry cannot be written has none, and is refused when it is read.',
  'token/oldest-secret-first':
    'The numbered variables are a custom of the ecosystem, of which no row speaks.',
  'token/site-unread': 'Where nothing tells which cookie is meant, the choice is a decision of this library.',
  'webauthn/challenge-kept-when-refused':
    'WA-01 and WA-03 ask that a challenge is accepted once; an answer that proved nothing was not accepted.',
  'webauthn/challenge-of-any-ceremony':
    'The ceremony goes on as the one that was sealed, for which the answer to the other lacks its members.',
  'webauthn/counter-store-unchecked':
    'An adapter that can’t store a counter has to throw, says its contract; the library’s own tests have ones that don’t.',
  'webauthn/fields-that-come-twice':
    'WA-12 is about answers that are malformed; which of two names of a ceremony counts, the challenge decides.',
  'webauthn/known-credentials-not-excluded':
    'WA-06 and WA-11 are about other users; that a device is spared a second key is no row’s matter.',
  'webauthn/transports-as-they-come':
    'Transports are hints that only their own user is given back, and unknown ones may be kept (WebAuthn L3 5.2.1).',
  ...explainedCharts,
}
