import type { EmailSettings, Settings } from '../../config/settings.ts'
import type { LinkStarter } from '../../flows/email/requested-links.ts'
import { hashesOf } from '../../flows/shared/mailed-proof.ts'
import { sealedCookie } from '../../token/sealed.ts'

/** A mailed code, as the sealed cookie of the browser that requested it holds it. */
export interface RequestedCode {
  /** Id of the provider. */
  readonly provider: string
  readonly identifier: string
  /** A hash of the code, with the secret. */
  readonly hash: string
  /** Names the rows of the attempts together with `attempt`. Nobody but this library can read it. */
  readonly nonce: string
  /** The number of the next attempt, from 1. */
  readonly attempt: number
  /** Milliseconds since 1970. */
  readonly expires: number
  /** A hash of the CSRF token of the browser. */
  readonly browser: string
  /** Where the browser goes after the sign-in. */
  readonly callbackUrl: string
  readonly starter?: LinkStarter | undefined
  /** The stamp of the account when the code was mailed. Absent without one, as in cookies of earlier versions. */
  readonly stamp?: string | undefined
}

/** The code that a browser requested. It expires with the code. */
export const codeCookie = sealedCookie<RequestedCode, 'provider'>({
  cookie: ({ cookieTable }) => cookieTable.requestedCode,
  until: ({ expires }) => expires,
  boundTo: ['provider'],
  browser: 'code',
  toClaims: (code) => ({ code }),
  read({ code }, now) {
    const read = code as RequestedCode | undefined
    return read && read.expires > now ? read : undefined
  },
})

/** The hashes of a code, one for each secret, the newest first. */
export function hashesOfCode(
  code: string,
  { nonce }: Pick<RequestedCode, 'nonce'>,
  provider: EmailSettings,
  settings: Settings,
): Promise<readonly string[]> {
  return hashesOf(`code ${nonce} ${code}`, provider, settings)
}

/** The tokens of the row that stands for an attempt, one for each secret, the newest first. */
export function tokensOfAttempt(
  { nonce, attempt }: Pick<RequestedCode, 'nonce' | 'attempt'>,
  provider: EmailSettings,
  settings: Settings,
): Promise<readonly string[]> {
  return hashesOf(`attempt ${nonce} ${attempt}`, provider, settings)
}
