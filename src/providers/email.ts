import type { EmailConfig, GivenId, Identified } from '../types/provider.ts'
import Nodemailer, { type NodemailerOptions } from './nodemailer.ts'

export type {
  EmailConfig,
  EmailProviderSendVerificationRequestParams,
  EmailProviderType,
  EmailUserConfig,
} from '../types/provider.ts'

/**
 * Mails sign-in links over SMTP, under the id `email`.
 *
 * Options: those of `Nodemailer`.
 *
 * @deprecated use `authmachine/providers/nodemailer`
 * @example providers: [Email({ server: process.env.SMTP_URL })]
 */
export default function Email<const Id extends GivenId = GivenId>(
  options: NodemailerOptions & { id?: Id },
): Identified<EmailConfig, 'email', Id> {
  return { ...Nodemailer(options), id: 'email', name: 'Email' }
}
