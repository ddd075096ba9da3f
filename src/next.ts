export { createNextAuth, type NextAuth } from './integrations/next/next-auth.ts'
export type { Outcome } from './client/outcome.ts'
export type { Query } from './client/routes.ts'
export type { SignInOptions, SignOutOptions } from './client/sign-in.ts'
