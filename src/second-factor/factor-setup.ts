import { sealedText } from '../token/sealed.ts'

/** A secret that the user has not confirmed yet. The form contains it sealed. */
export interface FactorSetup {
  readonly userId: string
  /** In base32. */
  readonly secret: string
}

/** The secret in the form. */
export const setupField = sealedText<FactorSetup, 'userId'>({
  purpose: 'authmachine.factor-setup',
  // Within fifteen minutes, the user must enter the first code.
  maxAge: 900,
  boundTo: ['userId'],
  read: ({ userId, secret }) => (typeof secret === 'string' ? { userId: String(userId), secret } : undefined),
})
