import { findConnectionProblem } from './connection-problem.ts'
import type { AuthError, ErrorType } from './classes.ts'
import { failureTexts, problemTexts } from './provider-failures.ts'
import type { WarningCode } from '../types/logger.ts'

/** Explains an error or a warning. The log, `authmachine doctor` and the error page in development show the same text. */
export interface Explanation {
  /** The problem. */
  readonly sentence: string
  /** The fix. */
  readonly fix: string
  /** The section of the documentation that says more. */
  readonly section: GuideSection
}

/** A section of a guide, by the headings that a reader finds on the site and in a clone. */
export interface GuideSection {
  readonly guide: string
  readonly heading: string
}

type Texts = readonly [sentence: string, fix: string]

/** By error type. */
export const errorTexts: Readonly<Record<ErrorType, Texts>> = {
  AccessDenied: [
    'The `signIn` or `jwt` callback, or the gate of a feature, refused the sign-in or threw.',
    'If this user should be allowed to sign in, check the results of `callbacks.signIn` and `callbacks.jwt`.',
  ],
  AccountNotLinked: [
    'The passkey, the e-mail address or the account of a feature belongs to another user.',
    'Sign in as that user first, then add it.',
  ],
  AdapterError: [
    'An adapter method failed, is missing, or returned an invalid value.',
    'Check the database, and the method that the message names.',
  ],
  AuthError: [
    'An operation failed, and there is no more specific type for the reason.',
    'Read the message and the cause in the server log.',
  ],
  CallbackRouteError: [
    "The library could not complete the sign-in from the provider's response.",
    'Compare the client secret and the redirect URI with the registration at the provider, and check your callbacks.',
  ],
  CredentialsSignin: [
    '`authorize` returned null or threw `CredentialsSignin`.',
    'If the credentials were correct, check `authorize`.',
  ],
  DuplicateConditionalUI: [
    'Several WebAuthn providers have `enableConditionalUI`.',
    'Remove `enableConditionalUI` from all providers except one.',
  ],
  DuplicateProvider: [
    'Several providers have the same id, so only one of them could be used.',
    'Set another `id` on one of them, and register its callback URL at the provider.',
  ],
  EmailSignInError: [
    'The e-mail address is invalid, or the mail could not be sent.',
    'Check `sendVerificationRequest` and the credentials of the mail server.',
  ],
  ErrorPageLoop: [
    '`pages.error` leads to a page that fails in the same way.',
    'Make sure that your error page needs no session, and fix the error in the cause.',
  ],
  EventError: [
    'An `events` callback threw or took longer than 30 seconds. The action itself succeeded.',
    'Fix the callback that `event` names in the server log.',
  ],
  ExperimentalFeatureNotEnabled: [
    'WebAuthn providers are experimental and are not enabled.',
    'Set `experimental.enableWebAuthn` to `true`.',
  ],
  InvalidCallbackUrl: [
    'A `callbackUrl` was ignored, because it is neither a path nor an http(s) URL, or is longer than 2 KiB.',
    'If your application created it, pass a path or an http(s) URL.',
  ],
  InvalidCheck: [
    'The response does not belong to a sign-in that this browser started in the last 15 minutes.',
    'Start the sign-in again. If every sign-in fails, use one host in `AUTH_URL`, the redirect URI and the address bar.',
  ],
  InvalidConfig: [
    'An option or an environment variable has an invalid value.',
    'Correct the value that the message names.',
  ],
  InvalidEndpoints: [
    'An endpoint of the provider is missing or invalid, or discovery failed.',
    'Set `issuer` exactly as in the discovery document, or set the endpoints `authorization`, `token` and `userinfo`.',
  ],
  InvalidProvider: [
    'The provider is not configured, does not support this request, or returned a user without a usable id.',
    'Use the id of a configured provider, and return the `id` of a stored user from `authorize`.',
  ],
  JWTSessionError: [
    'A session token could not be renewed or returned. The session continues.',
    'Check `callbacks.jwt` and `callbacks.session`, and the cause in the server log.',
  ],
  MissingAdapter: [
    'A provider or the session strategy needs an adapter.',
    'Set `adapter`, for example to `kyselyAdapter` from `authmachine/adapters/kysely`.',
  ],
  MissingAdapterMethods: [
    'The adapter lacks methods that your providers, your session strategy or the called method need.',
    'Use an adapter that has these methods. If sessions need no database, set `session.strategy` to "jwt".',
  ],
  MissingAuthorize: [
    'A credentials provider has no `authorize` function.',
    'Add an `authorize` function that returns the user or null.',
  ],
  MissingCSRF: [
    'The form did not contain the CSRF token of this browser.',
    'Send the `csrfToken` from `GET /csrf` with the form, together with its cookie.',
  ],
  MissingClientId: [
    'An OAuth or OpenID Connect provider has no client id.',
    'Register your application at the provider, and set `clientId` or the environment variable that the message names.',
  ],
  MissingSecret: [
    'The secret is missing, empty or blank.',
    'Set `AUTH_SECRET`. Create a secret with `npx authmachine secret --write .env.local`.',
  ],
  MissingWebAuthnAutocomplete: [
    'A WebAuthn provider has `enableConditionalUI`, but no form field for passkeys.',
    'Set `autocomplete: "username webauthn"` on a field of `formFields`.',
  ],
  OAuthAccountNotLinked: [
    'The account or its e-mail address belongs to another user.',
    'Sign in as that user first, then link the account.',
  ],
  OAuthCallbackError: [
    'The provider returned an error, or the user declined.',
    'If users did not decline, compare the client id, the scopes and the redirect URI with the registration at the provider.',
  ],
  OAuthProfileParseError: [
    'The profile from the provider has no usable id or an invalid e-mail address, or the `profile` callback threw.',
    'Return an `id` that is a string or a number from `profile`.',
  ],
  OAuthSignInError: [
    'The sign-in at the provider could not be started.',
    'Check the configuration of the provider, and the cause in the server log.',
  ],
  RateLimited: [
    'The `rateLimit` callback refused the attempt.',
    'If there were not too many attempts, check which attempts `callbacks.rateLimit` counts.',
  ],
  SessionTokenError: [
    'A database session could not be read, extended or returned. The session continues.',
    'Check the adapter and `callbacks.session`, and the cause in the server log.',
  ],
  SignInError: ['The sign-in failed.', 'Read the message and the cause in the server log.'],
  SignOutError: [
    'The session could not be ended, the user could not be signed out at the provider, or the provider sent an invalid logout token.',
    'Check `deleteSession` of the adapter, `jwt.revocations` and `callbacks.endSession`.',
  ],
  UnknownAction: [
    'There is no route for this path and method, or the request is malformed.',
    'Compare `basePath` with the path at which you mounted the handler.',
  ],
  UnsupportedStrategy: [
    'A credentials provider cannot use database sessions without an adapter, and JWT sessions cannot be listed or revoked by id.',
    'For credentials, set `session.strategy` to "jwt", or set `adapter`. To list or revoke sessions, set `session.strategy` to "database".',
  ],
  UntrustedHost: [
    'The host of requests is not trusted.',
    'Set `AUTH_URL` to the URL of the site. If your platform replaces the Host header, you can set `trustHost` instead.',
  ],
  Verification: [
    'The mailed link or code is invalid, expired or already used.',
    'Request a new link or code. A code works only in the browser that requested it. If links are used up before users open them, remove `confirm: "never"` from the e-mail provider.',
  ],
  WebAuthnVerificationError: [
    'The response of the authenticator could not be verified.',
    'Check that `relayingParty.id` is the host of the site or a parent domain of it.',
  ],
}

/** By warning code. */
export const warningTexts: Readonly<Record<WarningCode, Texts>> = {
  'checks-disabled': [
    'A provider has `checks: ["none"]`, so an attacker can sign a visitor in as another user.',
    'Remove `checks` from the provider.',
  ],
  'csrf-disabled': [
    '`skipCSRFCheck` is set, so the library does not protect forms against CSRF.',
    'Make sure that the code that calls the handler protects the forms, or remove `skipCSRFCheck`.',
  ],
  'dangerous-linking': [
    "A provider has `allowDangerousEmailAccountLinking`: anyone with an account there that has a user's e-mail address can sign in as that user.",
    'Set it only on providers that verify e-mail addresses.',
  ],
  'debug-enabled': ['`debug` is on, so the log contains every flow.', 'Remove `debug` in production.'],
  'env-url-basepath-mismatch': [
    'The path of `AUTH_URL` differs from `basePath`, which takes precedence.',
    'Remove the path from `AUTH_URL`.',
  ],
  'env-url-basepath-redundant': [
    'Both `AUTH_URL` and `basePath` contain the path of the routes; `basePath` takes precedence.',
    'Remove the path from `AUTH_URL`.',
  ],
  'experimental-webauthn': [
    'WebAuthn providers are experimental and may change in a minor release.',
    'Read the changelog before you update.',
  ],
  'host-trust-inferred': [
    'The Host header of every request is trusted, although no option says so.',
    'In production, set `AUTH_URL` to the URL of the site.',
  ],
  'breach-check-failed': [
    'A new password was accepted without a check, because the breached passwords could not be queried.',
    'Check whether the server can reach the service, or the function in `checkBreached`.',
  ],
  'session-not-described': [
    'No description of a new session was stored, because `session.describe` or the adapter failed.',
    'Read the reason in the log. With Kysely, run `migrate`, which adds the column.',
  ],
  'ignored-parameter': [
    'A sign-in request contained parameters that only the library may set. They were ignored.',
    'Pass only parameters such as `login_hint` and `prompt` as the third argument of `signIn`.',
  ],
  'insecure-requests': [
    'A provider has `allowInsecureRequests`, so tokens and secrets may be sent over plain http.',
    'Remove `allowInsecureRequests` unless the provider is on a private network.',
  ],
  'invalid-callback-url': [
    'A `callbackUrl` is neither a path nor an http(s) URL.',
    'Pass a path or an http(s) URL.',
  ],
  'invalid-theme': [
    'A value in `theme` is not a colour or an image URL, and has no effect.',
    'Set a CSS colour, or the URL of an image.',
  ],
  'legacy-token': [
    'A session token of an older version of Auth.js (A256GCM) was accepted.',
    'Once no server creates such tokens, set `jwt.acceptLegacyTokens` to a date.',
  ],
  'large-session': [
    'The session cookies are larger than common proxies accept. Such a proxy refuses every request of the user.',
    'Store less in the session token: return fewer claims from `callbacks.jwt`, or use database sessions.',
  ],
  'random-user-id': [
    '`authorize` returned a user with neither an `id` nor an `email`, so every sign-in has a new random id.',
    'Return an `id` from `authorize`.',
  ],
  'session-cookie-unreadable': [
    'A session cookie could not be decrypted with any secret, so its user is signed out.',
    'If users lose their sessions, use the same `AUTH_SECRET` on all instances and keep old secrets in the list.',
  ],
  'shared-session-secret': [
    'Two configurations share a secret and a session cookie, so each accepts the sessions of the other.',
    'Set `jwt.audience` on each configuration, or give each its own secret and cookie name.',
  ],
  'unconfirmed-links': [
    'An e-mail provider has `confirm: "never"`: anyone who opens a mailed link is signed in, including mail scanners and visitors of another site.',
    'Remove `confirm` from the e-mail provider.',
  ],
  'unknown-host': [
    '`trustHost` is set, but the environment does not confirm that the Host header is safe. Clients may choose the host in links.',
    'Set `AUTH_URL` to the URL of the site.',
  ],
  'unknown-option': ['The configuration contains options that have no effect.', 'Rename or remove them.'],
  'unread-variable': [
    'An environment variable has the name of an older version, and is not read.',
    'Rename the variable as the message says, or set the option yourself.',
  ],
  'weak-link-token': [
    'A provider or a feature sends tokens or codes that can be guessed.',
    'Limit attempts with `callbacks.rateLimit`, or create longer tokens with the `generateVerificationToken` of the provider.',
  ],
  'weak-secret': [
    'A secret has fewer than 32 bytes, so it may be guessed.',
    'Create a secret with `npx authmachine secret --write .env.local`.',
  ],
}

/** The texts of causes, which say more than those of error types. */
const causeTexts: Readonly<Record<string, Texts>> = { ...failureTexts, ...problemTexts }

/**
 * Returns the explanation of an error type or of a cause, as `nameExplanation` returns it. The name may come from a URL;
 * an unknown one has no explanation.
 */
export function explainError(name: string): Explanation | undefined {
  const texts = Object.hasOwn(errorTexts, name) ? errorTexts[name as ErrorType] : undefined
  return texts ? explain(texts, name) : explainCause(name)
}

function explainCause(name: string): Explanation | undefined {
  const texts = Object.hasOwn(causeTexts, name) ? causeTexts[name] : undefined
  return texts && explain(texts, Object.hasOwn(problemTexts, name) ? connections : 'CallbackRouteError')
}

/** The section about servers that cannot be reached. */
const connections = 'Connections that fail'

/** Returns the name by which `explainError` explains an error best: its cause if that is known, or else its type. */
export function nameExplanation(error: AuthError): string {
  const problem = findConnectionProblem(error)
  if (problem) return problem
  const reason = error.cause?.reason
  return typeof reason === 'string' && Object.hasOwn(failureTexts, reason) ? reason : error.type
}

/** Returns the explanation of a warning. Integrations may log other codes, which have none. */
export function explainWarning(code: string): Explanation | undefined {
  const texts = Object.hasOwn(warningTexts, code) ? warningTexts[code as WarningCode] : undefined
  return texts && explain(texts, code)
}

function explain([sentence, fix]: Texts, heading: string): Explanation {
  return { sentence, fix, section: { guide: 'Troubleshooting', heading } }
}

/** Writes an explanation as one line, with details of this occurrence after its sentence. */
export function writeExplanation({ sentence, fix, section }: Explanation, details?: string): string {
  return [sentence, details, fix, referTo(section)].filter((part) => part !== undefined).join(' ')
}

/** Writes a sentence that refers to a section. */
export function referTo({ guide, heading }: GuideSection): string {
  return `See "${heading}" in the authmachine guide "${guide}".`
}
