import { copyOfOptions } from '../../copies/copy-handed-out.ts'
import { asError } from '../../errors/as-error.ts'
import { EmailSignInError } from '../../errors/classes.ts'
import { withRequest } from '../../http/rebuild-request.ts'
import type { Visit } from '../../http/visit.ts'
import { type MaybePromise, settle, whenDone } from '../../async/maybe-promise.ts'
import { customFetch } from '../../types/symbols.ts'
import type { EmailProviderSendVerificationRequestParams } from '../../types/provider.ts'
import type { Facts } from '../engine/facts.ts'
import type { World } from '../engine/world.ts'

/** Calls `sendVerificationRequest`. Returns the failure if it throws. */
export function sendMail(
  { visit, mailProvider: { config } }: Pick<Facts, 'visit' | 'mailProvider'>,
  { settings, platform }: World,
  mail: Pick<EmailProviderSendVerificationRequestParams, 'identifier' | 'token' | 'expires' | 'url'>,
): MaybePromise<EmailSignInError | undefined> {
  const provider = {
    [customFetch]: platform.fetch,
    ...copyOfOptions(config),
    from: config.from ?? defaultSender(visit),
  }
  const send = () =>
    provider.sendVerificationRequest(withRequest({ ...mail, provider, theme: { ...settings.theme } }, visit))
  return whenDone<unknown, EmailSignInError | undefined>(
    () => settle(send()),
    () => undefined,
    (error) => new EmailSignInError('The mail could not be sent', asError(error)),
  )
}

function defaultSender({ origin }: Visit): string {
  const hostname = origin.replaceAll(/^\w+:\/\/|:\d+$/g, '')
  return `no-reply@${hostname}`
}
