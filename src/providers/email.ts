import type { EmailConfig } from '../types/provider.ts'
import Nodemailer from './nodemailer.ts'

export type {
  EmailConfig,
  EmailProviderSendVerificationRequestParams,
  EmailProviderType,
  EmailUserConfig,
} from '../types/provider.ts'

/**
 * Mails sign-in links over SMTP, under the id `email`.
 * @deprecated use `authmachine/providers/nodemailer`
 */
export default function Email(options: Parameters<typeof Nodemailer>[0]): EmailConfig {
  return { ...Nodemailer(options), id: 'email', name: 'Email' }
}
