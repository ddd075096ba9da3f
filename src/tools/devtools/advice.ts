import { failureTexts } from '../../errors/provider-failures.ts'

/** Why a run failed, and how a developer can fix it. */
export interface Advice {
  readonly reason: string
  readonly todo: string
}

const startAgain =
  'Start the sign-in again, in one tab. If it keeps failing, check that the browser keeps the cookies of this host.'
const hosts = 'Use one host in AUTH_URL, in the redirect URI at the provider and in the address bar.'
const log = 'The server log has the message and the stack.'
const relyingParty =
  'Set relayingParty.id to the host of the site or a parent domain, and relayingParty.origin to the origin in the address bar.'

const table = {
  'authorization-request.refused': failureTexts['push-refused'],
  'claims.invalid': failureTexts['claims.invalid'],
  'code.refused': failureTexts['code.refused'],
  'hook.failed': failureTexts['hook-failed'],
  'id-token.invalid': failureTexts['signature-invalid'],
  'keys.unusable': failureTexts['keys-refused'],
  'provider.misconfigured': failureTexts.misconfigured,
  'provider.unreachable': failureTexts.unreachable,
  'server.unusable': failureTexts['discovery-refused'],
  'tokens.malformed': failureTexts['tokens.malformed'],
  fault: [
    'A step threw, or took longer than 30 seconds.',
    `Check your callbacks, your event hooks and the adapter. ${log}`,
  ],
  'token.restored': [
    'The sign-in failed on the server after its link or code was used, so the link or code works again.',
    `Find the fault before this state: check your callbacks and the adapter. ${log}`,
  ],
  'code.restored': [
    'The request failed on the server after its code was used, so the code works again.',
    `Find the fault before it: check your callbacks and the adapter. ${log}`,
  ],
  'csrf.mismatched': [
    'The form did not contain the CSRF token of this browser.',
    'Send the csrfToken from GET /csrf with the form, together with its cookie. A page that was open during a sign-in has an old token, so reload it.',
  ],
  'logout-token.invalid': [
    'The logout token is not valid for a provider that may end sessions.',
    `Check the issuer and the client id, and that the provider sends the token as a form. ${log}`,
  ],
  'sessions.unfindable': [
    'The logout token has no sub, by which database sessions are found.',
    'Use JWT sessions with jwt.revocations, or a provider that sends sub.',
  ],
  'response.ambiguous': [
    'A parameter of the provider’s response is duplicated.',
    'Check whether a proxy or a rewrite between the provider and the site adds parameters.',
  ],
  'state.unreadable': [
    'The state names another host, but was not encrypted with this secret.',
    'Use the same AUTH_SECRET and the same redirectProxyUrl on the site and on the redirect proxy.',
  ],
  'hop.forbidden': [
    'The sign-in started on a host to which the redirect proxy does not forward.',
    'If that host is one of your deployments, add its origin to redirectProxy.allow on the proxy.',
  ],
  'check.missing': [
    'This browser has no sign-in for the response: the check cookie is missing, has expired after 15 minutes, or was already used.',
    `${startAgain} ${hosts}`,
  ],
  'check.invalid': [
    'The check cookie cannot be decrypted, or belongs to another provider.',
    `${startAgain} If you removed a secret recently, keep it in the list for 15 minutes.`,
  ],
  'state.mismatched': [
    'The state in the provider’s response differs from the one in the browser’s cookie.',
    `${startAgain} A second sign-in in another tab replaces the first. A link with a foreign state may be an attack.`,
  ],
  'issuer.mismatched': [
    'The response names another issuer.',
    'Set the issuer of the provider exactly as in its discovery document.',
  ],
  'response.malformed': [
    'The provider’s response has no code, or is malformed.',
    'Configure the provider for the response type "code", and for the response_mode of your configuration.',
  ],
  'authorization.declined': [
    'The user or the provider declined.',
    'Find the error code of the provider in the log. If it is not access_denied, compare client id, scopes and redirect URI with the registration.',
  ],
  'profile.unusable': [
    'The profile has no usable id, or could not be fetched or mapped.',
    'Return an id that is a string or a number from the profile callback. The userinfo endpoint must return JSON with status 2xx.',
  ],
  'tokens.lapsed': [
    'The access token has expired, and the store has no refresh token for it.',
    'Ask the user to sign in again. Some providers return refresh tokens only on request, for example with the scope offline_access.',
  ],
  'token.dropped': [
    'The provider permanently refused the refresh token.',
    'Ask the user to sign in again. If it happens often, check whether other code refreshes the same account.',
  ],
  'claim.released': [
    'The provider could not be reached, or its response was invalid. The refresh token is kept.',
    'Try again. If it keeps failing, read the reason in the log.',
  ],
  'refresh.unfinished': [
    'Another request has been refreshing the account for more than ten seconds.',
    'Try again. If it keeps failing, check how long the provider takes to respond.',
  ],
  'attempt.excessive': [
    'The rateLimit callback did not return true.',
    'If there were not too many attempts, check which attempts the callback counts.',
  ],
  'user.denied': [
    'The application refused: signIn returned false or threw, or the jwt callback returned null.',
    'If this is not intended, check these callbacks. The log contains the errors that they threw.',
  ],
  'sent.elsewhere': [
    'The signIn callback returned a URL, and the browser was redirected there. Nobody was signed in.',
    'If this is not intended, check the result of the callback.',
  ],
  'account.taken': [
    'The account or its e-mail address belongs to another user.',
    'Sign in as that user, and add the account then. For a provider that verifies addresses, you can set allowDangerousEmailAccountLinking.',
  ],
  'conflict.unexplained': [
    'The store reported a conflict, but contains no conflicting record.',
    'Check the constraints of its tables, and that reads see the latest writes. authmachine-conformance/adapter tests an adapter.',
  ],
  'address.malformed': [
    'The e-mail address is invalid.',
    'Correct the address. Addresses with quotes, lists or several @ are refused.',
  ],
  'token.withdrawn': [
    'The mail could not be sent, and its link or code was invalidated.',
    `Check sendVerificationRequest and the credentials of the mail server. ${log}`,
  ],
  'link.previewed': [
    'The request was a prefetch or a preview, so the link was not used.',
    'Open the link again: it still works.',
  ],
  'link.invalid': [
    'The link has expired, was already used, or belongs to another user or address.',
    'Request a new link, and open it in a browser where the same user is signed in.',
  ],
  'address.taken': ['Another user has the address.', 'Nothing to do. The page asks for another address.'],
  'link.malformed': [
    'The link has no token or no address.',
    'Send the URL unchanged in the mail, with its whole query.',
  ],
  'token.unknown': [
    'The store does not contain this link or code: it was already used or replaced, is for another address, or was never stored.',
    'Request a new mail. If every link or code fails, check that useVerificationToken finds what createVerificationToken stored.',
  ],
  'token.expired': [
    'The link or the session has expired.',
    'Request a new link, or sign in again. maxAge of the e-mail provider or of the session sets the lifetime.',
  ],
  'code.malformed': [
    'The request is not a form with one code.',
    'Post the fields csrfToken and code. Codes have no link that could be opened.',
  ],
  'code.unrequested': [
    'This browser requested no code of this provider, or it has expired, or the CSRF token has changed since.',
    `Request a new code, and enter it in the same browser. ${hosts}`,
  ],
  'attempt.granted': ['The code is wrong.', 'Enter it again. The URL has the number of attempts left.'],
  'attempts.exhausted': ['The code is wrong, and this was the last attempt.', 'Request a new code.'],
  'credentials.refused': [
    'The authorize function returned null or threw.',
    'If the credentials were correct, check authorize. The log contains the error that it threw.',
  ],
  'member.unknown': [
    'The adapter does not know the user whose id authorize returned.',
    'Return the id of a stored user, or set session.strategy to "jwt".',
  ],
  'action.invalid': [
    'The page requested an unknown ceremony.',
    'Request webauthn-options with action=register, with action=authenticate, or without an action.',
  ],
  'ceremony.impossible': [
    'This ceremony is not possible: a registration needs an e-mail address or a signed-in user.',
    'Send the address, or sign the user in first. To add a passkey to a known address, its user must be signed in.',
  ],
  'step-up.demanded': [
    'The change demands the second factor, which this session has not passed.',
    'Pass the second factor, and start the change again.',
  ],
  'token.deferred': [
    'The session is too old for this change, so the link was stored again.',
    'Sign in again, and open the link once more.',
  ],
  'code.outdated': ['The account was changed after the code was mailed.', 'Request another code.'],
  'credential.malformed': [
    'The response of the authenticator is malformed.',
    'Send the result of @simplewebauthn/browser as JSON in the field data.',
  ],
  'challenge.missing': [
    'This browser has no challenge: its cookie is missing, has expired, or was already used.',
    'Request webauthn-options immediately before the ceremony, and send its cookies with the response.',
  ],
  'challenge.invalid': [
    'The challenge in the cookie belongs to another ceremony or provider.',
    'Request webauthn-options from the provider to which you post, with the same action.',
  ],
  'authenticator.unknown': [
    'The store does not contain this authenticator.',
    'Check whether it was registered with another database or relying party, and that getAuthenticator finds what createAuthenticator stored.',
  ],
  'credential.unoffered': [
    'The authenticator is not one of those in the options.',
    'Start the ceremony again, and pass the options on unchanged.',
  ],
  'authentication.unverified': [
    'The signature does not match the challenge, the origin or the key.',
    relyingParty,
  ],
  'counter.stale': [
    'The counter of the authenticator did not increase, so it may be a copy.',
    'Ask the user to register a new one, and check that updateAuthenticatorCounter stores the counter.',
  ],
  'owner.mismatched': [
    'The authenticator and its account belong to different users.',
    'Correct the rows of the account and the authenticator: both must have the same user.',
  ],
  'registration.unverified': [
    'The new credential does not match the challenge or the origin, or its type is not supported.',
    relyingParty,
  ],
  'registrant.gone': [
    'The user who started the registration is no longer signed in.',
    'Sign in, and register again.',
  ],
  'pending.absent': [
    'No sign-in of this browser waits for the second factor.',
    'Sign in again. A sign-in or sign-out since then, or ten minutes, ended it.',
  ],
  'factor.absent': [
    'The user has no second factor.',
    'Enrol one at factor-enrolment. If there was one, check that getFactor finds what setFactor stored.',
  ],
  'factor.replaced': [
    'The second factor or the password of the user changed since the first factor was accepted.',
    'Sign in again.',
  ],
  'factor.demanded': [
    'The user has a second factor, and the session was not recently authenticated with it.',
    'Enter the code, and enrol again afterwards.',
  ],
  'passkeys.absent': [
    'The user has no passkey, or signed in with one.',
    'Enter a code. Passkeys of the first passkey provider are a second factor, but not after a sign-in with a passkey.',
  ],
  'guess.premature': [
    'Too many codes or passkeys of the user were refused.',
    'Wait, or enter a recovery code. Check the clock of the server: codes depend on the time.',
  ],
  'session.stale': [
    'The user signed in too long ago, or before the second factor was configured.',
    'Sign in again.',
  ],
  'token.invalid': [
    'The session cookie cannot be decrypted. It was cleared.',
    'If you changed the secret, keep the old one in the list after the new one.',
  ],
  'token.revoked': [
    'The jwt callback returned null, which ends the session.',
    'If this is not intended, return the token from the callback.',
  ],
  'session.unknown': [
    'The store does not contain this session: it was signed out, or belongs to another database. The cookie was cleared.',
    'Sign in again. If it happens right after a sign-in, check that getSessionAndUser finds what createSession stored.',
  ],
  'session.gone': [
    'The session was deleted while it was being extended.',
    'Sign in again. Another request signed out at the same time.',
  ],
  'session.withdrawn': [
    "The passkey was removed during the sign-in, because another request verified its user's address for the first time.",
    'Sign in with another method, and register the passkey again.',
  ],
  'session.expired': ['The session has expired.', 'Sign in again. session.maxAge sets the lifetime.'],
  'cookie.absent': [
    'Nobody is signed in.',
    `Sign in first. If you did, check that the browser keeps the cookies of this host. ${hosts}`,
  ],
  'user.unknown': [
    'The adapter does not know the user of the session.',
    'Sign in again. If it happens right after a sign-in, check that getUser finds what createUser stored.',
  ],
  'session.removed': ['The session has expired.', 'Sign in again. session.maxAge sets the lifetime.'],
} as const satisfies Readonly<Record<string, readonly [reason: string, todo: string]>>

const advice: ReadonlyMap<string, Advice> = new Map(
  Object.entries(table).map(([event, [reason, todo]]) => [event, { reason, todo }]),
)

/** Returns the advice for an event that makes a run fail. */
export function findAdvice(event: string): Advice | undefined {
  return advice.get(event)
}
