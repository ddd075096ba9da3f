import { nameBrowser, provideCsrf } from '../../http/csrf.ts'
import { readStamp } from '../../policy/stamp.ts'
import { codeCookie, type RequestedCode } from './requested-code.ts'
import { requireStore } from '../engine/world.ts'
import { step } from '../engine/step.ts'
import { warnUnlimited } from './guessable-token.ts'
import { mailing, newestHash, storeRow, hashesOf } from '../shared/mailed-proof.ts'
import { verifyRequestUrl } from './verify-request-url.ts'
import { sendMail } from './send-mail.ts'
import type { EmailSettings, Settings } from '../../config/settings.ts'
import { randomHex } from '../../crypto/random.ts'
import type { Platform } from '../../types/config.ts'

/** Checks whether the provider mails links or codes. */
export const chooseMethod = step({
  needs: ['mailProvider'],
  says: { 'link.chosen': [], 'code.chosen': [] },
  run: ({ mailProvider }) => ({ type: mailProvider.method === 'code' ? 'code.chosen' : 'link.chosen' }),
})

/** Invalidates the code that this browser requested before, so that copies of its cookie are worthless. */
export const endOlderCode = step({
  needs: ['visit'],
  says: { 'older-code.ended': [] },
  async run({ visit }, world) {
    const older = await codeCookie.peek(visit, world)
    const provider = older && world.settings.providers.get(older.provider)
    if (older && provider?.kind === 'email')
      for (const token of await tokensOfAttempt(older, provider, world.settings))
        await requireStore(world).useVerificationToken({
          identifier: older.identifier,
          token,
        })
    return { type: 'older-code.ended' }
  },
})

/** Creates a code, and stores the row of the first attempt before anything is mailed. */
export const storeAttempt = step({
  needs: ['visit', 'identifier', 'mailProvider', 'callbackUrl'],
  may: ['intent', 'currentUser', 'addressee', 'claimant'],
  says: { 'attempt.stored': ['mailedCode', 'requestedCode', 'storedToken'] },
  async run(
    { visit, identifier, mailProvider, callbackUrl, intent, currentUser, addressee, claimant },
    world,
  ) {
    const { settings, platform, out } = world
    warnUnlimited(mailProvider, settings)
    const mailedCode = mintCode(platform)
    const nonce = mintNonce(platform)
    const expires = platform.now() + mailProvider.maxAge * 1000
    const csrf = await provideCsrf(visit, settings)
    out.setCookies(csrf.cookies)
    const stamp = await readStamp(addressee ?? claimant, world)
    const requestedCode = {
      provider: mailProvider.id,
      identifier,
      hash: newestHash(await hashesOfCode(mailedCode, { nonce }, mailProvider, settings)),
      nonce,
      attempt: 1,
      expires,
      browser: await nameBrowser('code', csrf.token),
      callbackUrl,
      starter: intent && currentUser ? { id: String(currentUser.id), intent } : undefined,
      stamp: stamp?.value ?? undefined,
    }
    const token = newestHash(await tokensOfAttempt(requestedCode, mailProvider, settings))
    const storedToken = await storeRow({ identifier, token, expires: new Date(expires) }, world)
    return { type: 'attempt.stored', mailedCode, requestedCode, storedToken }
  },
})

/** Sends the code. The URL that the sender gets is that of the form, and does not contain the code. */
export const sendCode = step({
  needs: ['visit', 'mailProvider', 'mailedCode', 'storedToken'],
  says: mailing,
  run({ visit, mailProvider, mailedCode, storedToken: { identifier, expires } }, world) {
    const url = verifyRequestUrl(visit, mailProvider)
    return sendMail({ visit, mailProvider }, world, { identifier, token: mailedCode, expires, url })
  },
})

/** Binds the code to this browser. */
export const rememberCode = step({
  needs: ['visit', 'requestedCode'],
  says: { 'code.remembered': [] },
  async run({ visit, requestedCode }, world) {
    world.out.setCookies(await codeCookie.write(requestedCode, visit, world))
    return { type: 'code.remembered' }
  },
})

/** How many guesses at a code are compared (ASVS 6.6.3). */
export const maxAttempts = 5

const codeLength = 6

/**
 * Creates six random digits. The remainder of 64 random bits needs no loop, and differs from a uniform choice by less
 * than one in 10^13.
 */
export function mintCode({ randomBytes }: Platform): string {
  const bytes = new DataView(Uint8Array.from(randomBytes(8)).buffer)
  return String(bytes.getBigUint64(0) % 10n ** BigInt(codeLength)).padStart(codeLength, '0')
}

/** Creates the secret part of the tokens of a code's rows. */
export function mintNonce({ randomBytes }: Platform): string {
  return randomHex(randomBytes)
}

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
