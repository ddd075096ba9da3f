/** Codes of authenticator apps, for the option `secondFactor`. */
export { sealTotpSecret } from './features/second-factor/seal-totp-secret.ts'
export { totp, type TotpOptions } from './features/second-factor/totp.ts'
export type { SecondFactor } from './features/second-factor/types.ts'
export type { Authentication, RequiredAuthentication } from './types/authentication.ts'
