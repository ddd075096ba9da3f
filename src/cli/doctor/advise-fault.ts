import type { ErrorType } from '../../errors.ts'

/** What to do about a configuration that the handler refuses, by the type of its error. */
export const adviceForFaults: Partial<Record<ErrorType, string>> = {
  DuplicateConditionalUI: 'Take enableConditionalUI out of all of them but one.',
  DuplicateProvider: 'Give one of them another id, by its option id.',
  ExperimentalFeatureNotEnabled: 'Set experimental.enableWebAuthn to true.',
  InvalidEndpoints: 'Configure the issuer, or the endpoints authorization, token and userinfo.',
  MissingAdapter: 'Configure an adapter, such as authmachine/adapters/kysely.',
  MissingAdapterMethods:
    'Use an adapter that has them; where sessions need no store, set session.strategy to "jwt".',
  MissingAuthorize: 'Give the credentials provider an authorize function, which answers the user or null.',
  MissingSecret: 'Take jwt.secret out: without it, the secret of the configuration counts.',
  MissingWebAuthnAutocomplete: 'Set autocomplete: "username webauthn" on a field of formFields.',
  UnsupportedStrategy: 'Configure an adapter, or set session.strategy to "jwt".',
}
