/** The password provider. Needs `node:crypto`: Node.js 20.16 or newer, Deno or Bun. */
export type { FetchRange } from './password/breached.ts'
export { hashPassword } from './password/hash.ts'
export { Password, type PasswordOptions } from './password/provider.ts'
export type { PasswordLinkParams } from './provider-base/password.ts'
