import { describe } from '../../config/rule.ts'
import type { CookieRow, EmailSettings, ProviderSettings } from '../../config/settings.ts'
import { InvalidConfig } from '../../errors/classes.ts'
import type { MailCodeCookies } from './types.ts'

/** What this feature reads of an e-mail provider, before it is validated. */
interface Configured {
  readonly id?: unknown
  readonly method?: unknown
  readonly generateVerificationToken?: unknown
}

const linkMaxAge = 86_400
/** NIST SP 800-63B-4 3.1.3. Presets set the lifetime of a link, which is too long for a code. */
const codeMaxAge = 600

/**
 * Reads what an e-mail provider mails.
 *
 * @throws InvalidConfig if the method is invalid, or is combined with `generateVerificationToken`
 */
export function readMethod({
  id,
  method = 'link',
  generateVerificationToken,
}: Configured): EmailSettings['method'] {
  if (method !== 'link' && method !== 'code')
    throw new InvalidConfig(
      `\`method\` of provider "${String(id)}" must be "link" or "code", got ${describe(method)}`,
    )
  if (method === 'code' && generateVerificationToken !== undefined)
    throw new InvalidConfig(
      `Provider "${String(id)}" has \`method: "code"\`, which creates the codes. Remove \`generateVerificationToken\``,
    )
  return method
}

/** Returns the lifetime of what an e-mail provider mails, in seconds. */
export function lifetimeOf(method: EmailSettings['method'], maxAge: number | undefined): number {
  return method === 'link' ? (maxAge ?? linkMaxAge) : Math.min(maxAge ?? codeMaxAge, codeMaxAge)
}

/** Tells whether a provider mails codes. */
export function mailsCodes(provider: ProviderSettings): boolean {
  return provider.kind === 'email' && provider.method === 'code'
}

/** The cookie that binds a code to the browser that requested it. */
export const codeCookies = {
  requestedCode: { suffix: 'requested-code', isOwnHost: true },
} as const satisfies Readonly<Record<keyof MailCodeCookies, CookieRow>>
