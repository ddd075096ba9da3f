/** Codes of authenticator apps, for the option `secondFactor`. */
export { sealTotpSecret } from './second-factor/seal-totp-secret.ts'
export { totp, type TotpOptions } from './second-factor/totp.ts'
export type { Authentication, RequiredAuthentication, SecondFactor } from './types/second-factor.ts'
