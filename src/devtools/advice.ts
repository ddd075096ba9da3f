/** Why a run failed, in a sentence, and what whoever develops the site can do about it. */
export interface Advice {
  readonly reason: string
  readonly todo: string
}

const startAgain =
  'Start the sign-in again, in one tab. If it always ends so, look at whether the browser keeps the cookies of this host.'
const hosts =
  'Let AUTH_URL, the redirect URI at the provider and the host in the address bar name one and the same host.'
const log = 'The server’s log has the message and the stack.'

const table = {
  fault: [
    'A step threw, or took longer than 30 seconds.',
    `${log} It is most often a callback, an event hook or an operation of the adapter.`,
  ],
  'csrf.mismatched': [
    'The form did not carry the CSRF token of this browser.',
    'Post the csrfToken of GET /csrf with the form, from a page that sends the cookies; a page left open across a sign-in holds an old one.',
  ],
  'server.unusable': [
    'The provider’s endpoints could not be learnt.',
    'Open <issuer>/.well-known/openid-configuration from the server: its issuer has to equal the configured one to the letter. Without discovery, configure each endpoint.',
  ],
  'response.ambiguous': [
    'A parameter of the provider’s answer came twice.',
    'Look at what stands between the provider and the site: a proxy or a rewrite may add parameters.',
  ],
  'state.unreadable': [
    'The state names another host, and was not sealed with our secret.',
    'Let the site and the redirect proxy have the same AUTH_SECRET, and the same redirectProxyUrl.',
  ],
  'hop.forbidden': [
    'The sign-in started at a host that the redirect proxy does not forward to.',
    'If that host is a deployment of yours, add its origin to redirectProxy.allow of the proxy.',
  ],
  'check.missing': [
    'This browser holds no sign-in that the answer belongs to: its cookie is missing, expired after 15 minutes, or was used.',
    `${startAgain} ${hosts}`,
  ],
  'check.invalid': [
    'The cookie of the sign-in does not open for this provider.',
    `${startAgain} It may stem from another sign-in, or be sealed under a secret that is gone.`,
  ],
  'state.mismatched': [
    'The state in the provider’s answer is not the one that this browser was sent off with.',
    `${startAgain} A second sign-in in another tab replaces the first; a link with a state of its own may be an attack.`,
  ],
  'issuer.mismatched': [
    'The answer says that another issuer gave it.',
    'Set the provider’s issuer to what its discovery document says, to the letter.',
  ],
  'response.malformed': [
    'The provider’s answer has no code, or is not formed as an answer has to be.',
    'Let the provider use the response type "code", and the response_mode that is configured.',
  ],
  'authorization.declined': [
    'The provider, or the user there, said no.',
    'The provider’s code is in the log. If it is not access_denied, compare client id, scopes and redirect URI with what is registered there.',
  ],
  'code.refused': [
    'The provider did not take the code.',
    'Check the client secret, how it is sent (token_endpoint_auth_method), and that the registered redirect URI is exactly ours. A code works once, and soon.',
  ],
  'tokens.malformed': [
    'What the token endpoint answered is no answer with tokens.',
    'Look at what the endpoint answers: it has to be JSON with access_token and token_type. A provider that departs from that needs token.conform.',
  ],
  'claims.invalid': [
    'A claim of the id_token is not as it has to be: issuer, audience, nonce or time.',
    'Check issuer and client id, and that the clock of the server is right.',
  ],
  'id-token.invalid': [
    'The id_token is not signed by a key of the issuer.',
    'Check issuer and jwks_endpoint. HS256 works only for a provider that declares it.',
  ],
  'profile.unusable': [
    'The profile has no usable id, or could not be read or mapped.',
    'Look at what the profile callback returns: an id that is a text or a number. The userinfo endpoint has to answer 2xx with JSON.',
  ],
  'tokens.lapsed': [
    'The access token has expired, and the store holds no refresh token for it.',
    'Have the user sign in again. A provider may have to be asked for refresh tokens, as by the scope offline_access.',
  ],
  'token.dropped': [
    'The provider refused the refresh token for good.',
    'Have the user sign in again. If it happens often, look for other code that refreshes the same account.',
  ],
  'claim.released': [
    'The provider could not be asked, or its answer could not be used; the refresh token is kept.',
    'Nothing, if it passes. Otherwise the log says what came.',
  ],
  'refresh.unfinished': [
    'Another request has been refreshing the account for more than ten seconds.',
    'Nothing, if it passes. Otherwise look at how long the provider takes to answer.',
  ],
  'attempt.excessive': [
    'The rateLimit callback did not answer true.',
    'Nothing, if there were too many attempts. If that was not meant, look at what the callback counts.',
  ],
  'user.denied': [
    'The application said no: signIn answered false or threw, or the jwt callback answered null.',
    'If that was not meant, look at these callbacks; what they threw is in the log.',
  ],
  'sent.elsewhere': [
    'The signIn callback answered a URL, and the browser was sent there.',
    'Nothing, if that was meant: nobody was signed in.',
  ],
  'account.taken': [
    'The account, or its address, belongs to another user.',
    'Sign in the way that was used first, and add the account then; or, for a provider that proves addresses, allowDangerousEmailAccountLinking.',
  ],
  'conflict.unexplained': [
    'The store reported a conflict, and has nothing to conflict with.',
    'Look at the constraints of its tables, and at whether reads see what was just written. authmachine-conformance/adapter tests an adapter.',
  ],
  'address.malformed': [
    'What was typed is no e-mail address that mail can be sent to.',
    'Nothing: the sign-in page says so. Addresses with quotes, lists or several @ are refused.',
  ],
  'token.withdrawn': [
    'The mail could not be sent, and the link in it does not work any more.',
    `Look at sendVerificationRequest, or at the mail server’s credentials. ${log}`,
  ],
  'link.previewed': [
    'The link was only looked at: the request says that it is a prefetch or a preview.',
    'Nothing: it still works.',
  ],
  'link.malformed': [
    'The link has no token, or no address.',
    'Let the mail carry the URL as it was given, with its whole query.',
  ],
  'token.unknown': [
    'The store has no such link: it was used, is for another address, or was never stored.',
    'A link signs in once: it may have been used, or have expired. useVerificationToken has to find what createVerificationToken stored.',
  ],
  'token.expired': [
    'The link, or the session, has expired.',
    'Ask for a new link, or sign in again; maxAge of the e-mail provider or of the session says for how long.',
  ],
  'credentials.refused': [
    'authorize answered null, or threw.',
    'If the credentials were right, look at authorize. What it threw is in the log.',
  ],
  'member.unknown': [
    'The adapter does not know the user whose id authorize returned.',
    'With database sessions the user has to be in the store: return the id that it has there, or use strategy "jwt".',
  ],
  'action.invalid': [
    'The page asked for a ceremony that there is not.',
    'Ask for webauthn-options with action=register, action=authenticate, or without an action.',
  ],
  'ceremony.impossible': [
    'Nobody can do this ceremony here: registering needs an address, or somebody who is signed in.',
    'Send the address along, or sign the user in first. Registering a passkey for a known address needs that user’s session.',
  ],
  'credential.malformed': [
    'What the authenticator answered cannot be read.',
    'Send what @simplewebauthn/browser gives, as JSON text in the field data.',
  ],
  'challenge.missing': [
    'This browser holds no challenge: its cookie is missing, expired, or was used.',
    'Ask for webauthn-options right before the ceremony, and send its cookies back.',
  ],
  'challenge.invalid': [
    'The challenge in the cookie was made for another ceremony or provider.',
    'Ask for webauthn-options of the provider that is posted to, with the action that is posted.',
  ],
  'authenticator.unknown': [
    'The store does not know this authenticator.',
    'It may have been registered with another database or relying party. getAuthenticator has to find what createAuthenticator stored.',
  ],
  'credential.unoffered': [
    'The authenticator is not one of those that were asked for.',
    'Start the ceremony again with the options as they were answered.',
  ],
  'authentication.unverified': [
    'The signature fits neither challenge, origin nor key.',
    'relayingParty.id has to be the host of the site or a parent of it, and relayingParty.origin what is in the address bar.',
  ],
  'counter.stale': [
    'The authenticator’s counter went back: it may be a copy.',
    'Let its user register a new one. updateAuthenticatorCounter has to store what it is given.',
  ],
  'owner.mismatched': [
    'The authenticator belongs to another user than the account that names it.',
    'Look at the rows of accounts and authenticators: they have to name the same user.',
  ],
  'registration.unverified': [
    'The new credential fits neither challenge nor origin, or is of a kind that is not taken.',
    'relayingParty.id has to be the host of the site or a parent of it, and relayingParty.origin what is in the address bar.',
  ],
  'registrant.gone': [
    'Who began the registration is not signed in any more.',
    'Sign in, and register again.',
  ],
  'token.invalid': [
    'The session cookie does not open.',
    'Nothing, if the secret or the names of cookies were changed: it was cleared. To change a secret without that, list the old one behind the new.',
  ],
  'token.revoked': [
    'The jwt callback answered null: the session is over.',
    'If that was not meant, look at the callback: it has to answer the token.',
  ],
  'session.unknown': [
    'The store has no such session: it was signed out, or is of another database.',
    'Nothing: the cookie was cleared. If it comes right after a sign-in, getSessionAndUser does not find what createSession stored.',
  ],
  'session.gone': [
    'The session was removed while it was to be extended.',
    'Nothing: somebody signed out at the same time.',
  ],
  'session.removed': ['The session had expired.', 'Nothing: session.maxAge says for how long one lasts.'],
} as const satisfies Readonly<Record<string, readonly [reason: string, todo: string]>>

const advice: ReadonlyMap<string, Advice> = new Map(
  Object.entries(table).map(([event, [reason, todo]]) => [event, { reason, todo }]),
)

/** What there is to say of an event by which a run fails. */
export function findAdvice(event: string): Advice | undefined {
  return advice.get(event)
}
