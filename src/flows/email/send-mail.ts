import { copyOfOptions } from '../../copies/copy-handed-out.ts'
import { withRequest } from '../../http/rebuild-request.ts'
import type { Visit } from '../../http/visit.ts'
import { customFetch } from '../../types/symbols.ts'
import type { EmailProviderSendVerificationRequestParams } from '../../types/provider.ts'
import type { Facts } from '../engine/facts.ts'
import type { World } from '../engine/world.ts'
import { reportMail } from '../shared/mailed-proof.ts'

/** Calls `sendVerificationRequest`. */
export function sendMail(
  { visit, mailProvider: { config } }: Pick<Facts, 'visit' | 'mailProvider'>,
  { settings, platform }: World,
  mail: Pick<EmailProviderSendVerificationRequestParams, 'identifier' | 'token' | 'expires' | 'url'>,
) {
  const provider = {
    [customFetch]: platform.fetch,
    ...copyOfOptions(config),
    from: config.from ?? defaultSender(visit),
  }
  const params = { ...mail, provider, theme: { ...settings.theme } }
  return reportMail(() => provider.sendVerificationRequest(withRequest(params, visit)))
}

function defaultSender({ origin }: Visit): string {
  const hostname = origin.replaceAll(/^\w+:\/\/|:\d+$/g, '')
  return `no-reply@${hostname}`
}
