import { mintCode, mintNonce } from '../../extend/one-time-code.ts'
import { sendMail } from '../../flows/email/send-mail.ts'
import { verifyRequestUrl } from '../../flows/email/verify-request-url.ts'
import { warnUnlimited } from '../../flows/email/guessable-token.ts'
import { step } from '../../flows/engine/step.ts'
import { requireStore } from '../../flows/engine/world.ts'
import { mailing, newestHash, storeRow } from '../../flows/shared/mailed-proof.ts'
import { nameBrowser, provideCsrf } from '../../http/csrf.ts'
import { readStamp } from '../../policy/stamp.ts'
import { codeCookie, hashesOfCode, tokensOfAttempt } from './requested-code.ts'

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
