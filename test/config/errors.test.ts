import { describe, expect, it } from 'vitest'
import * as errors from '../../src/errors.ts'

const { AccessDenied, AuthError, CredentialsSignin, isClientError, SignInError } = errors

/** Every class, with the page that shows it and whether its name may be shown. */
const table = `
  AccessDenied                   error   shown
  AccountNotLinked               signIn  shown
  AdapterError                   error   hidden
  CallbackRouteError             error   hidden
  CredentialsSignin              signIn  shown
  DuplicateConditionalUI         error   hidden
  EmailSignInError               signIn  shown
  ErrorPageLoop                  error   hidden
  EventError                     error   hidden
  ExperimentalFeatureNotEnabled  error   hidden
  InvalidCallbackUrl             error   hidden
  InvalidCheck                   error   shown
  InvalidEndpoints               error   hidden
  InvalidProvider                error   hidden
  JWTSessionError                error   hidden
  MissingAdapter                 error   hidden
  MissingAdapterMethods          error   hidden
  MissingAuthorize               error   hidden
  MissingClientId                error   hidden
  MissingCSRF                    signIn  shown
  MissingSecret                  error   hidden
  MissingWebAuthnAutocomplete    error   hidden
  OAuthAccountNotLinked          signIn  shown
  OAuthCallbackError             signIn  shown
  OAuthProfileParseError         error   hidden
  OAuthSignInError               signIn  hidden
  RateLimited                    error   shown
  SessionTokenError              error   hidden
  SignOutError                   error   hidden
  UnknownAction                  error   hidden
  UnsupportedStrategy            error   hidden
  UntrustedHost                  error   hidden
  Verification                   error   shown
  WebAuthnVerificationError      error   shown
  DuplicateProvider              error   hidden
  InvalidConfig                  error   hidden
  SignInError                    signIn  hidden`

const rows = table
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/))

describe('the error classes', () => {
  it('WIR-055 ERR-001 have a name, a page, a visibility and a common base', () => {
    for (const [name = '', kind, visibility] of rows) {
      const type = Reflect.get(errors, name) as typeof AuthError
      const error = new type('what happened')
      expect(error).toBeInstanceOf(AuthError)
      expect(error).toMatchObject({ name, type: name, kind, message: 'what happened' })
      expect(isClientError(error), name).toBe(visibility === 'shown')
    }
  })

  it('WIR-055 are all listed here, with their base class', () => {
    const classes = Object.entries(errors).filter(([, value]) => String(value).startsWith('class'))
    expect(classes.map(([name]) => name).toSorted()).toEqual(
      [...rows.map(([name = '']) => name), 'AuthError'].toSorted(),
    )
    expect(new AuthError('x')).toMatchObject({ type: 'AuthError', kind: 'error', name: 'AuthError' })
  })

  it('WIR-055 isClientError accepts only errors of the library', () => {
    for (const other of [
      new Error('AccessDenied'),
      { type: 'AccessDenied' },
      null,
      'AccessDenied',
      undefined,
    ])
      expect(isClientError(other)).toBe(false)
    class Mine extends CredentialsSignin {
      override code = 'mine'
    }
    expect(isClientError(new Mine())).toBe(true)
  })

  it('ERR-001 accept a message, details, or a cause', () => {
    const beneath = new TypeError('beneath')
    expect(new AuthError('above', beneath)).toMatchObject({ message: 'above', cause: { err: beneath } })
    expect(new AuthError('above', { provider: 'acme', err: beneath }).cause).toEqual({
      provider: 'acme',
      err: beneath,
    })
    expect(new AuthError('above').cause).toBeUndefined()
    expect(new AuthError({ provider: 'acme' })).toMatchObject({ message: '', cause: { provider: 'acme' } })
    expect(new AuthError(new AuthError('inner', { provider: 'acme' })).cause).toMatchObject({
      provider: 'acme',
    })
    expect(new SignInError('x').stack).toContain('errors.test.ts')
  })

  it('ERR-009 DEC-02a AccessDenied has the message of the error that it wraps, and that error as its cause', () => {
    const beneath = new RangeError('over the limit')
    const error = new AccessDenied(beneath)
    expect(error.message).toBe('over the limit')
    expect(error.cause?.err).toBe(beneath)
  })

  it('ERR-005 CredentialsSignin has a code, "credentials" by default', () => {
    class Locked extends CredentialsSignin {
      override code = 'locked'
    }
    expect(new CredentialsSignin().code).toBe('credentials')
    expect(new Locked()).toMatchObject({ code: 'locked', type: 'CredentialsSignin', kind: 'signIn' })
  })
})
