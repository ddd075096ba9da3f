import type { EmailConfig, EmailUserConfig, GivenId, Identified } from '../types/provider.ts'
import { httpSender } from '../provider-base/http-sender.ts'

interface LoopsOptions extends EmailUserConfig {
  /** Id of the transactional mail. It needs a data variable `url` for the link, or `code`. */
  readonly transactionalId: string
}

/**
 * Mails sign-in links or codes through Loops, which stores the text of the mail: the library sends only the link or code.
 *
 * Create a transactional mail with a data variable `url`, or `code` with `method: 'code'`. Pass its id, and an API key as `apiKey` or in
 * `AUTH_LOOPS_KEY`.
 *
 * Options: `apiKey`, `transactionalId` (the id of your mail template), and any of `EmailUserConfig`.
 *
 * @see https://loops.so/docs/api-reference/send-transactional-email
 * @example providers: [Loops({ transactionalId: '...' })]
 */
export default function Loops<const Id extends GivenId = GivenId>({
  transactionalId,
  ...options
}: LoopsOptions & { id?: Id }): Identified<EmailConfig, 'loops', Id> {
  return httpSender({ id: 'loops', name: 'Loops' }, options, ({ to }, { provider, url, token }) => ({
    url: 'https://app.loops.so/api/v1/transactional',
    headers: { authorization: `Bearer ${provider.apiKey}` },
    body: {
      transactionalId,
      email: to,
      dataVariables: provider.method === 'code' ? { code: token } : { url },
    },
  }))
}
