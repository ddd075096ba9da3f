import { AuthError } from '../errors/classes.ts'
import { onceLoaded } from '../async/once.ts'
import type { EmailConfig, EmailUserConfig, GivenId, Identified } from '../types/provider.ts'
import { writeMessage } from '../provider-base/message.ts'

export type {
  EmailConfig as NodemailerConfig,
  EmailUserConfig as NodemailerUserConfig,
} from '../types/provider.ts'

/** The options of {@link Nodemailer}. */
export interface NodemailerOptions extends EmailUserConfig {
  /** The SMTP server: a URL (`smtps://user:pass@host`), or transport options of nodemailer. */
  readonly server?: unknown
}

const loadNodemailer = onceLoaded(() => import('nodemailer'))

/**
 * Mails sign-in links over SMTP, with the package `nodemailer`, which you install separately.
 *
 * Options: `server` (a URL, or transport options), `from`, and any of `EmailUserConfig`.
 *
 * @throws AuthError without `server`
 * @see https://nodemailer.com/smtp
 * @example providers: [Nodemailer({ server: process.env.EMAIL_SERVER, from: 'no-reply@example.com' })]
 */
export default function Nodemailer<const Id extends GivenId = GivenId>(
  options: NodemailerOptions & { id?: Id } = {},
): Identified<EmailConfig, 'nodemailer', Id> {
  const { server } = options
  if (!server) throw new AuthError('Nodemailer needs a `server`: a URL, or transport options')
  return {
    id: 'nodemailer',
    name: 'Nodemailer',
    type: 'email',
    server,
    maxAge: 86_400,
    async sendVerificationRequest(params) {
      const { createTransport } = await loadNodemailer()
      // Nodemailer uses an address object unchanged, but parses a string for several addresses (GHSA-mm7p-fcc7-pg87).
      const { to, ...message } = await writeMessage(params)
      const sent = await createTransport(params.provider.server as string).sendMail({
        ...message,
        to: { name: '', address: to },
      })
      const missed = [...(sent.rejected ?? []), ...((sent as { pending?: unknown[] }).pending ?? [])]
      if (missed.length > 0) throw new Error('The SMTP server did not take the mail')
    },
    options,
  }
}
