/** Checks every declaration of @auth/express against those of the package in place of `@auth/core`. */
import { AuthError, type ExpressAuthConfig, type Session } from '@auth/express'
import type { Adapter } from '@auth/express/adapters'
import GitHub from '@auth/express/providers/github'
import Nodemailer from '@auth/express/providers/nodemailer'

export const open = (adapter: Adapter): ExpressAuthConfig => ({
  adapter,
  providers: [GitHub({ clientId: 'id' }), Nodemailer({ server: 'smtp://localhost' })],
})
// @ts-expect-error: a name is a string or missing. If the types were lost, it would be any.
export const nameOf = (session: Session): number => session.user?.name
export const typeOf = (error: unknown): string | undefined =>
  error instanceof AuthError ? error.type : undefined
