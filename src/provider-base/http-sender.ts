import type {
  EmailConfig,
  EmailProviderSendVerificationRequestParams,
  EmailUserConfig,
  GivenId,
  Identified,
} from '../types/provider.ts'
import { fetchOf } from './preset.ts'
import { writeMessage, type Message } from './message.ts'

/** The request that sends one mail. */
export interface SendRequest {
  readonly url: string
  readonly headers: Record<string, string>
  /** JSON, or a form. */
  readonly body: object | FormData
}

/** Milliseconds until a request to a mail service times out. */
const timeout = 10_000

/**
 * Creates an e-mail provider that sends its mails through a service over HTTP. If the service does not return success, the
 * sign-in fails. The error does not repeat the response, which may contain the address or the link.
 */
export function httpSender<const Own extends string, Id extends GivenId>(
  { id, name }: { readonly id: Own; readonly name: string },
  options: EmailUserConfig & { id?: Id },
  write: (message: Message, params: EmailProviderSendVerificationRequestParams) => SendRequest,
): Identified<EmailConfig, Own, Id> {
  return {
    id,
    name,
    type: 'email',
    maxAge: 86_400,
    async sendVerificationRequest(params) {
      const { apiKey } = params.provider
      if (!apiKey) throw new TypeError(`${name} needs an apiKey, or AUTH_${id.toUpperCase()}_KEY`)
      const { url, headers, body } = write(await writeMessage(params), params)
      const isForm = body instanceof FormData
      const response = await fetchOf(params.provider)(url, {
        method: 'POST',
        headers: isForm ? headers : { ...headers, 'content-type': 'application/json' },
        body: isForm ? body : JSON.stringify(body),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`${name} responded with ${response.status} instead of success`)
    },
    options,
  }
}

/** The bare address of `Name <address>`. */
export function addressOf(mailbox: string): string {
  return /<([^<>]+)>\s*$/.exec(mailbox)?.[1] ?? mailbox
}
