import { describe, expect, it } from 'vitest'
import { nameErrors } from '../../src/errors/error-names.ts'
import { AccessDenied, AuthError, CallbackRouteError } from '../../src/errors.ts'

describe('error names', () => {
  it('DEC-37a are only types of the library and of JavaScript, whatever name an error sets', () => {
    const named = new Error('canary')
    named.name = 'canary'
    expect(nameErrors(undefined)).toEqual([])
    expect(nameErrors(named)).toEqual(['Error'])
    expect(nameErrors(new RangeError('canary'))).toEqual(['RangeError'])
    expect(nameErrors(new AccessDenied(new CallbackRouteError(new SyntaxError('canary'))))).toEqual([
      'AccessDenied',
      'CallbackRouteError',
      'SyntaxError',
    ])
    expect(nameErrors(new AccessDenied(named))).toEqual(['AccessDenied'])
    class Own extends AuthError {
      static override type = 'canary' as 'AuthError'
    }
    expect(nameErrors(new Own('x'))).toEqual(['Error'])
  })

  it('stop at a circular cause', () => {
    const error = new AuthError('x')
    error.cause = { err: error }
    expect(nameErrors(error)).toEqual(['AuthError', 'AuthError', 'AuthError', 'AuthError'])
  })
})
