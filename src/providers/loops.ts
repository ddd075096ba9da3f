import type { EmailConfig, EmailUserConfig } from '../types/provider.ts'
import { httpSender } from './mail/http-sender.ts'

interface LoopsOptions extends EmailUserConfig {
  /** The transactional mail, which has a data variable `url` for the link. */
  readonly transactionalId: string
}

/**
 * Mails sign-in links through Loops, which keeps the text of the mail: only the link is sent to it.
 *
 * Make a transactional mail with a data variable `url`, and give its id, and an API key as `apiKey` or in
 * `AUTH_LOOPS_KEY`.
 *
 * @see https://loops.so/docs/api-reference/send-transactional-email
 * @example providers: [Loops({ transactionalId: '...' })]
 */
export default function Loops({ transactionalId, ...options }: LoopsOptions): EmailConfig {
  return httpSender({ id: 'loops', name: 'Loops' }, options, ({ to }, { provider, url }) => ({
    url: 'https://app.loops.so/api/v1/transactional',
    headers: { authorization: `Bearer ${provider.apiKey}` },
    body: { transactionalId, email: to, dataVariables: { url } },
  }))
}
