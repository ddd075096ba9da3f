import { copyOfOptions } from '../../copies/copy-handed-out.ts'
import { asError } from '../../errors/as-error.ts'
import { EmailSignInError } from '../../errors/classes.ts'
import { withRequest } from '../../http/rebuild-request.ts'
import type { Visit } from '../../http/visit.ts'
import { customFetch } from '../../types/symbols.ts'
import type { EmailProviderSendVerificationRequestParams } from '../../types/provider.ts'
import type { Facts } from '../engine/facts.ts'
import type { World } from '../engine/world.ts'

/** Calls `sendVerificationRequest`. Returns the failure if it throws. */
export async function sendMail(
  { visit, mailProvider: { config } }: Pick<Facts, 'visit' | 'mailProvider'>,
  { settings, platform }: World,
  mail: Pick<EmailProviderSendVerificationRequestParams, 'identifier' | 'token' | 'expires' | 'url'>,
): Promise<EmailSignInError | undefined> {
  const provider = {
    [customFetch]: platform.fetch,
    ...copyOfOptions(config),
    from: config.from ?? defaultSender(visit),
  }
  try {
    const params = withRequest({ ...mail, provider, theme: { ...settings.theme } }, visit)
    await provider.sendVerificationRequest(params)
    return undefined
  } catch (error) {
    return new EmailSignInError('The mail could not be sent', asError(error))
  }
}

function defaultSender({ origin }: Visit): string {
  const hostname = origin.replaceAll(/^\w+:\/\/|:\d+$/g, '')
  return `no-reply@${hostname}`
}
