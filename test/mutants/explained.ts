import { explainedCharts } from './explained-charts.ts'

/**
 * Mutants that no property detects, each with the reason why that is correct. Remove a mutant that a property detects.
 */
export const explained: Readonly<Record<string, string>> = {
  'codes/any-number-of-attempts': 'CD-09 is about the numbers of attempts that the library itself sends.',
  'codes/form-for-links': 'CD-09 is about the page for codes. Links have no code that the form could accept.',
  'codes/in-the-subject': 'The oracle’s own sender receives the code. Only presets write the mail.',
  'codes/link-in-the-mail': 'The oracle’s own sender receives the code. Only presets write the mail.',
  'codes/row-stays-without-mail':
    'SU-11 allows a code to stay valid if its mail fails and the user is asked to try again.',
  'config/debug-on': 'The oracle configures a logger that receives all levels anyway.',
  'config/events-unset': 'The oracle configures all events, so none is ever undefined.',
  'config/experiment-untold': 'CF-04 lists the dangerous options, and experiments are not among them.',
  'config/known-host-told':
    'Only integrations see what setEnvDefaults reports, and a target is not an integration.',
  'config/no-nonce':
    'PKCE also binds the sign-in to the browser, and the requirements demand only one protection.',
  'config/odd-provider-throws': 'Only integrations call setEnvDefaults, and a target is not an integration.',
  'config/operations-one-by-one': 'No requirement says how many missing methods one message lists.',
  'config/providers-sorted': 'IL-07 is about what is published for each provider, not about their order.',
  'config/secrets-oldest-first':
    'The numbered variables are a convention of the ecosystem, and no requirement mentions them.',
  'config/short-session-token':
    'Sixteen random bytes cannot be guessed either, and no requirement demands more.',
  'config/trust-guessed': 'Only integrations see which variables of a platform make it trusted.',
  'config/unknown-host-untold':
    'Only integrations see what setEnvDefaults reports, and a target is not an integration.',
  'control/critical-header-understood':
    'The library and oauth4webapi both reject critical header parameters. The control of OI-09 lacks both checks.',
  'control/critical-header-unread-in-claims':
    'The library and oauth4webapi both reject critical header parameters. The control of OI-09 lacks both checks.',
  'control/id-token-without-issuer-kept':
    'The claims are returned, but read only for OIDC providers. The control of OI-01 also reads them for OAuth providers.',
  'cookies/chunks-outlive-a-sign-out':
    'Only integrations merge the cookies of two responses, and a target is not an integration.',
  'cookies/cleared-with-old-expiry':
    'Only configured options with an Expires keep it, and Max-Age=0 takes precedence in every user agent (RFC 6265 5.3).',
  'cookies/comma-in-name': 'The names of cookies come from the developer, and no request can change them.',
  'cookies/comma-in-path': 'The paths of cookies come from the developer, and no request can change them.',
  'cookies/custom-encoder-trusted':
    'The encoder belongs to the application, and the cookie package rejects unsafe characters that it leaves in a value.',
  'cookies/inherited-names':
    'Only cookies with configured names are read, and no object inherits a member of such a name.',
  'cookies/state-without-end':
    'CK-01 requires attributes, but no expiry of a check cookie. The sealed value expires by itself, and the cookie has Expires (TX-04).',
  'cookies/value-up-to-the-brim':
    'A chunk is never longer than 4096 bytes with all its attributes, as CK-03 requires.',
  'credentials/own-errors-hidden':
    'CB-06 is about CredentialsSignin. Other errors of authorize still reject the sign-in.',
  'email/address-of-a-machine':
    'EM-06 requires a domain of letters, digits and hyphens, which an IP address satisfies.',
  'email/address-of-the-store-not-compared':
    'A store that returns the row of another address breaks its contract. The library’s own tests have such a store.',
  'email/unsent-link-left-working': 'SU-11 allows the link to stay valid if the user is asked to try again.',
  'embedding/fastify-sets-a-session-twice':
    'Only integrations merge the cookies of two responses, and a target is not an integration.',
  'embedding/node-fails-on-nested-bodies':
    'Only the integration with Node writes a parsed body again, and a target is not an integration.',
  'embedding/node-sets-a-session-twice':
    'Only integrations merge the cookies of two responses, and a target is not an integration.',
  'factor/memory-removes-any-factor':
    'The oracle has its own store. The contract of adapters tests the adapter in memory.',
  'faults/late-step-goes-on':
    'What hangs in a campaign never responds, so nothing reports after its deadline.',
  'faults/no-deadline-of-requests':
    'The request is still aborted at its deadline, and for a fetch that ignores the signal the surrounding step also has a deadline.',
  'handler/bad-request-as-page': 'The status is still 400, and LM-01 does not specify the body.',
  'handler/fault-redirect-cached':
    'Every redirect forbids storing, so the member has no effect on the response.',
  'handler/late-cookies-sent':
    'What hangs in a campaign never responds, so no step sets a cookie after its deadline.',
  'handler/not-found-as-word': 'The status is still 404, and HH-03 does not specify the body.',
  'handler/session-of-nothing':
    "The oracle uses a target's handler. The methods of createAuth are out of its reach.",
  'handler/session-without-cookies':
    "The oracle uses a target's handler. The methods of createAuth are out of its reach.",
  'http/arrays-as-bodies':
    'A list has no member that a route reads, so it has the effect of an empty body, which is rejected without a CSRF token.',
  'http/bad-bytes-replaced':
    'Invalid UTF-8 is read with U+FFFD in its place, as by the web platform. No requirement distinguishes such texts.',
  'http/bad-escapes-replaced':
    'Invalid UTF-8 is read with U+FFFD in its place, as by the web platform. No requirement distinguishes such texts.',
  'http/callback-url-of-any-kind':
    'Whatever the input is, the library checks scheme and origin of the parsed URL, and redirects to that URL.',
  'http/callback-url-of-any-scheme':
    'Whatever the input is, the library checks scheme and origin of the parsed URL, and redirects to that URL.',
  'http/callback-url-of-odd-origin':
    "Input that starts with a slash or http has the application's scheme, or http, before this check.",
  'http/callback-url-with-backslashes':
    'Whatever the input is, the library checks scheme and origin of the parsed URL, and redirects to that URL.',
  'http/callback-url-with-controls':
    'Whatever the input is, the library checks scheme and origin of the parsed URL, and redirects to that URL.',
  'http/callback-url-with-user':
    'A user name and password do not change the host, which is checked by the same parser that browsers use.',
  'http/cookies-cached':
    'Redirects, pages and private JSON forbid storing anyway. The only other response with cookies needs `skipCSRFCheck`, which the oracle cannot set.',
  'http/csrf-any-separator':
    'The value still needs the hash of its token, which only the library can create.',
  'http/first-field-wins':
    'Either value of a repeated field may count. Where it matters, both are rejected (TX-12).',
  'http/first-set-cookie-wins':
    'The one cookie that a response changes twice is the callback URL: an invalid one is cleared, and set to the base URL, which has the same effect.',
  'http/framed': "The page's policy has frame-ancestors, which CK-13 accepts as well as X-Frame-Options.",
  'http/head-as-get': 'No route has the method HEAD, so the response is still 405 with Allow.',
  'http/json-of-any-depth':
    'The search for duplicate members measures the depth again, so the response is still 400.',
  'http/location-raw': 'The URL parser serialised every location before, so there is nothing left to encode.',
  'http/location-surrogate-throws':
    'The URL parser serialised every location before, so it contains no lone surrogate.',
  'http/members-inherited':
    'A form field with an inherited name only counts as a duplicate, which gets 4xx as LM-07 requires.',
  'http/prototype-of-a-form':
    'A field of a form is text, and assigning text to `__proto__` has no effect. JSON is checked elsewhere.',
  'http/provider-after-any-action':
    'An action without providers has no route with one, so the response is still 404 (or 500, if an invalid configuration has no routes).',
  'http/redirect-repeats-the-post': 'Every response with a location already has the status 302.',
  'hunt/abandoned-refresh-claim-kept':
    'Applications call getAccessToken. The oracle tests a target by requests.',
  'hunt/access-token-despite-configuration-fault':
    "The oracle uses a target's handler. The methods of createAuth are out of its reach.",
  'hunt/answer-of-mail-service-logged': 'Only providers that no target of the oracle has use mail services.',
  'hunt/credential-registered-twice-at-once':
    'The account with the id of the credential is stored first, in its own turn, and a second one is rejected there.',
  'hunt/eddsa-hash-of-256-bits':
    'The simulated providers do not sign with EdDSA, which no requirement demands.',
  'hunt/get-session-does-not-await-events':
    'Applications call getSession. The oracle tests a target by requests.',
  'hunt/hook-gets-unlimited-fetch':
    'The key of a provider’s own fetch is a symbol of each library, which no property can name.',
  'hunt/identical-duplicates-pass':
    'The token library also rejects a response with two equal parameters, as an invalid check. Only the log entry differs.',
  'hunt/invisible-characters-in-log-details':
    "The library's own details contain no text of a request. Only an application that constructs the library's error classes can add such text.",
  'hunt/refresh-stores-whole-response':
    'Applications call getAccessToken. The oracle tests a target by requests.',
  'hunt/refresh-token-in-refresh-error':
    'Applications call getAccessToken. The oracle tests a target by requests.',
  'hunt/required-session-redirects-to-request-host':
    "The oracle uses a target's handler. The methods of createAuth are out of its reach.",
  'hunt/required-session-refusal-cacheable':
    "The oracle uses a target's handler. The methods of createAuth are out of its reach.",
  'integrations/qwik-keeps-replaced-cookies':
    'Only integrations merge the cookies of two responses, and a target is not an integration.',
  'integrations/solid-extends-what-a-sign-out-ends':
    'Only integrations merge the cookies of two responses, and a target is not an integration.',
  'linking/user-with-another-address':
    'A store that returns the row of another address breaks its contract. The library’s own tests have such a store.',
  'mail/address-parsed-again': 'A target hands messages over. How a mailer sends them is tested separately.',
  'mail/refusals-overlooked': 'Only providers that no target of the oracle has use mail services.',
  'mail/theme-unchecked': 'A target hands over a link, and does not render a message.',
  'manage/endless-wait':
    'Only the application calls the functions that manage sessions, and a target has requests only.',
  'manage/fault-ignored':
    "The oracle uses a target's handler. The methods of createAuth are out of its reach.",
  'oauth/empty-iss-is-none':
    'A parameter without a value may be treated as missing (RFC 6749 3.1). If the metadata announces an iss, it is still rejected.',
  'oauth/cache-across-hooks': 'No provider of the library has its own fetch hook.',
  'oauth/cache-without-bound':
    'The cached addresses come only from configurations, so nobody outside can add any. It costs only memory.',
  'oauth/clock-of-the-system':
    "An application cannot configure another clock than the system's, so both are the same.",
  'oauth/code-not-demanded':
    "Without a code the token library sends nothing. An application's own token request then has an empty code, which no provider accepts, and reads no token of the browser.",
  'oauth/conform-ignored': 'DEC-10a does not name token.conform, and WIR-039, which does, has no property.',
  'oauth/deadline-without-end':
    'The request is still aborted at its deadline, and for a fetch that ignores the signal the surrounding step also has a deadline.',
  'oauth/duplicate-iss':
    'The token library also rejects a response with two codes or two issuers. Only the log entry differs.',
  'oauth/error-code-as-it-came':
    "The provider's error code is only logged. Users see the same code for all of them.",
  'oauth/failed-renewal-forgets':
    'The number of key requests is still bounded, as the requirement demands. There is one more after a provider failed to return its keys.',
  'oauth/faults-by-their-words':
    'The reason appears only in the log. The requirements demand that nobody is signed in.',
  'oauth/ids-of-any-length':
    'OI-18 names no longest id. The limit bounds the time of LM-11, which the oracle does not measure.',
  'oauth/leaks-timers': 'A timer that was not cancelled fires for a settled promise, which has no effect.',
  'oauth/lowered-max-age-forgotten':
    'OI-25 is judged for the configured max_age. Only an application’s own page lowers it for one sign-in.',
  'oauth/push-demanded-by-metadata-only':
    'The property of TX-23 pushes because the metadata demands it. A configured client is the library’s own option.',
  'oauth/push-loses-query-of-endpoint':
    'The query belongs to the configured endpoint, and the provider reads the pushed request only.',
  'oauth/push-to-any-host':
    'OI-16 is about plain HTTP, and no property sets the endpoint for pushed requests apart from the others.',
  'oauth/renewals-not-shared':
    'Only sign-ins that look up keys in the same turn of the event loop cause two requests, which is within the bound of the requirement.',
  'oauth/userinfo-hook-answers-anything':
    "The hook belongs to the application, and its result goes to the application's profile function. The requirement is about provider responses.",
  'oauth/waits-for-the-dead':
    'A pending request ends at its own, equally long deadline. Only a runtime that stops work with the request that started it behaves differently.',
  'oidc/page-in-any-frame': 'X-Frame-Options remains, which the requirement accepts as well.',
  'oidc/refusal-is-malformed':
    'Both cases show a listed error code and sign nobody in. They differ only in the code.',
  'passwords/end-after-the-absolute-end-told':
    'Only an event after the site has lowered its limit tells it, and no property lowers the limit before a reset. A scenario of PW-09 does.',
  'passwords/nobody-costs-less':
    'Only the time of the response tells it, which the oracle does not measure. A unit test of PW-02 counts the hashes and their parameters.',
  'pages/any-attribute':
    "Attributes of a field belong to the application, their values are escaped, and the page's policy prevents them from running scripts.",
  'pages/any-type':
    'The type of a field belongs to the application and is escaped. A browser treats an unknown one as text.',
  'pages/logo-in-the-policy-as-it-is':
    'WIR-063 requires that pages use the logo of the theme, and not that the policy of the page withstands its host.',
  'pages/logo-of-any-scheme':
    'WIR-063 requires that pages use the logo of the theme, and does not say which URLs it may have.',
  'pages/pale-border': 'WIR-063 is about the colours of a theme, and the border has its own.',
  'pages/scheme-as-given':
    'WIR-063 does not say what an unknown colour scheme means, and the class with its name is escaped.',
  'pages/white-on-anything':
    'WIR-063 is about the button text of a theme. The colour in a theme without one is a decision of this library.',
  'providers/empty-id': 'The check of the mapped profile rejects an empty id wherever it comes from.',
  'providers/github-first-address': 'The profile marks the address as unverified, so it has no effect.',
  'providers/id-as-it-came':
    'The check of the mapped profile also rejects an id that contains a rounded number of the profile.',
  'providers/id-by-address':
    'Its users are OpenID Connect providers, whose id_token is rejected earlier without a subject.',
  'races/address-not-read-again':
    'There is still one user: one of two links opened at once is rejected, which the requirement allows.',
  'races/owner-not-awaited':
    'A sign-in that comes too early is rejected, and there are one user and one account, as the requirement demands.',
  'rate-limits/any-text-as-a-time':
    'The time is in the URL of the error page, and a link with another time delays only the user who opens it.',
  'rate-limits/time-for-any-error':
    'The time is in the URL of the error page, and a link with another time delays only the user who opens it.',
  'seams/description-breaks-the-line':
    'The next replacement escapes line breaks, too. Only the quotation marks are missing.',
  'session/failure-is-nobody': 'Applications call getSession. The oracle tests a target by requests.',
  'session/fault-is-nobody': 'Applications call getSession. The oracle tests a target by requests.',
  'session/garbage-announced': 'SE-11 is about the response to a sign-out, not about its event.',
  'session/one-look-only':
    'A sign-in that comes too early is rejected, and there are one user and one account, as the requirement demands.',
  'session/proof-by-query':
    'Nobody else has the token in the URL either, and the requirement demands proof, wherever it is sent.',
  'session/sign-out-forgets-where-to':
    'No requirement says where a sign-out without a callback URL redirects.',
  'session/storeless-user-known':
    'EVT-009 is about the adapter, and its properties test no application without one.',
  'session/token-of-everything':
    'The additional content of a token is encrypted, and no requirement limits it.',
  'session/token-outlives-session':
    'SE-25 forbids showing an expiry that is too late. This one is too early.',
  'sign-in/address-refuses-a-late-owner':
    'A sign-in that comes too early is rejected, and there are one user and one account, as the requirement demands.',
  'sign-in/ambiguous-query-read': 'The step that checks the response counts state, issuer and code again.',
  'sign-in/checks-told-as-the-provider': 'TX-02 requires the response to be rejected, under any name.',
  'sign-in/empty-check-opens': 'Only the library can seal a check, and it never seals an empty one.',
  'sign-in/linked-user-taken-back':
    'The user is removed with the account, and the next sign-in creates both again, as the requirement allows.',
  'sign-in/nobody-waits-for-a-first-sign-in':
    'The sign-in then looks for the account several times, and finds it as well.',
  'sign-in/secret-in-the-url':
    'A client that sends an invented client secret in its own request gains nothing.',
  'sign-in/target-before-the-body':
    'Both are checked in the same way, and no requirement says which of two callback URLs in a request counts.',
  'store/address-added-unseen':
    'The address is looked up before it is added, and no property lets another user take it between the two.',
  'store/sessions-in-no-turn':
    'The oracle’s stores update and delete a session in one statement, so they need no turns.',
  'token/byte-order-mark-skipped': 'A byte order mark before the claims does not change them.',
  'token/infinite-age':
    'A token whose expiry cannot be serialised has none, and is rejected when it is read.',
  'token/oldest-secret-first':
    'The numbered variables are a convention of the ecosystem, and no requirement mentions them.',
  'token/site-unread': 'If nothing identifies the cookie, the choice is a decision of this library.',
  'webauthn/challenge-kept-when-refused':
    'WA-01 and WA-03 require that a challenge is accepted once. A response that proved nothing was not accepted.',
  'webauthn/challenge-of-any-ceremony':
    'The ceremony continues as the sealed one, for which a response to the other lacks members.',
  'webauthn/fields-that-come-twice':
    'WA-12 is about malformed responses. The challenge decides which of two names of a ceremony counts.',
  'webauthn/known-credentials-not-excluded':
    'WA-06 and WA-11 are about other users. No requirement spares a device a second key.',
  'webauthn/linked-to-the-address':
    'For requests, this table decides about provider accounts only: passkeys go to the signed-in user or to a new one.',
  'webauthn/newcomer-with-a-credential-nobody-finds':
    'DEC-39a does not say how a credential is found, and the oracle’s authenticators find all of theirs.',
  'webauthn/transports-as-they-come':
    'Transports are hints that are returned only to their own user, and unknown ones may be stored (WebAuthn L3 5.2.1).',
  ...explainedCharts,
}
