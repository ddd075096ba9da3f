import { equalsInConstantTime } from '../../crypto/hash.ts'
import { Verification } from '../../errors/classes.ts'
import { maxAttempts } from '../../extend/one-time-code.ts'
import { verifyRequestUrl } from '../../flows/email/verify-request-url.ts'
import type { Facts } from '../../flows/engine/facts.ts'
import { step } from '../../flows/engine/step.ts'
import type { World } from '../../flows/engine/world.ts'
import { newestHash, refuseUnknown, storeRow, takeRow } from '../../flows/shared/mailed-proof.ts'
import { readSecret } from '../../text/typed-secret.ts'
import { codeCookie, hashesOfCode, tokensOfAttempt } from './requested-code.ts'

/**
 * Reads the code from the form, which must have it exactly once. Text that cannot be a code is a wrong guess. The page with the
 * form has another path than its submission.
 */
export const readCode = step({
  needs: ['visit'],
  says: { 'code.read': ['typedCode'], 'code.malformed': ['failure'], 'form.wanted': [] },
  run({ visit: { method, action, body, duplicates } }) {
    if (action === 'verify-request') return { type: 'form.wanted' }
    const isTyped = typeof body.code === 'string' && /[^\s\p{Pd}]/u.test(body.code)
    if (method === 'POST' && isTyped && duplicates.length === 0)
      return { type: 'code.read', typedCode: readSecret('code', body.code) ?? '' }
    return { type: 'code.malformed', failure: new Verification('The form has no code, or more than one') }
  },
})

/** Opens the cookie of this browser. It must be for this provider, and must not come from another browser. */
export const openCode = step({
  needs: ['visit', 'mailProvider'],
  says: {
    'code.opened': ['requestedCode', 'identifier', 'callbackUrl', 'requester'],
    'code.unrequested': ['failure'],
  },
  async run({ visit, mailProvider }, world) {
    const requestedCode = await codeCookie.open(visit, { provider: mailProvider.id }, world)
    if (requestedCode) {
      const { identifier, callbackUrl, starter: requester = {} } = requestedCode
      return { type: 'code.opened', requestedCode, identifier, callbackUrl, requester }
    }
    const failure = new Verification('This browser requested no code of this provider, or it has expired')
    return { type: 'code.unrequested', failure }
  },
})

/**
 * Removes the row of this attempt. A copy of an earlier cookie finds no row, and of several parallel guesses, only one
 * finds it.
 */
export const spendAttempt = step({
  needs: ['mailProvider', 'requestedCode'],
  says: { 'token.consumed': ['consumedToken'], 'token.unknown': ['failure'] },
  async run({ mailProvider, requestedCode }, world) {
    const tokens = await tokensOfAttempt(requestedCode, mailProvider, world.settings)
    const consumedToken = await takeRow(requestedCode.identifier, tokens, world)
    return consumedToken ? { type: 'token.consumed', consumedToken } : refuseUnknown()
  },
})

/** Compares the code, unless the account has changed since it was mailed. Accepts the hashes of all listed secrets. */
export const compareCode = step({
  needs: ['mailProvider', 'requestedCode', 'typedCode', 'stamp'],
  says: { 'code.matched': [], 'code.mismatched': ['failure'], 'code.outdated': ['failure'] },
  async run({ mailProvider, requestedCode, typedCode, stamp }, { settings }) {
    if ((requestedCode.stamp ?? null) !== (stamp?.value ?? null))
      return {
        type: 'code.outdated',
        failure: new Verification('The code is older than a change to the account'),
      }
    for (const hash of await hashesOfCode(typedCode, requestedCode, mailProvider, settings))
      if (equalsInConstantTime(hash, requestedCode.hash)) return { type: 'code.matched' }
    return { type: 'code.mismatched', failure: new Verification('The code is wrong') }
  },
})

/** Stores the row of the next attempt, which expires with the code, and renews the cookie. */
export const grantAttempt = step({
  needs: ['visit', 'mailProvider', 'requestedCode'],
  says: { 'attempt.granted': ['attemptsLeft'], 'attempts.exhausted': [] },
  async run({ visit, mailProvider, requestedCode }, world) {
    const { settings, out } = world
    const { identifier, expires } = requestedCode
    const next = { ...requestedCode, attempt: requestedCode.attempt + 1 }
    if (next.attempt > maxAttempts) {
      out.setCookies(codeCookie.remove(visit))
      return { type: 'attempts.exhausted' }
    }
    const token = newestHash(await tokensOfAttempt(next, mailProvider, settings))
    await storeRow({ identifier, token, expires: new Date(expires) }, world)
    out.setCookies(await codeCookie.write(next, visit, world))
    return { type: 'attempt.granted', attemptsLeft: maxAttempts - requestedCode.attempt }
  },
})

/** Removes the cookie of a code that was used. */
export const forgetCode = step({
  needs: ['visit'],
  says: { 'code.forgotten': [] },
  run({ visit }, { out }) {
    out.setCookies(codeCookie.remove(visit))
    return { type: 'code.forgotten' }
  },
})

type Used = Pick<Facts, 'visit' | 'consumedToken' | 'requestedCode'>

/** Stores the row of the attempt again, and the cookie as this browser sent it. */
async function giveBack({ visit, consumedToken, requestedCode }: Used, world: World): Promise<void> {
  await storeRow(consumedToken, world)
  world.out.setCookies(await codeCookie.write(requestedCode, visit, world))
}

/** Lets the same code sign in again, because the sign-in failed on the server. */
export const restoreToken = step({
  needs: ['visit', 'consumedToken', 'requestedCode'],
  says: { 'token.restored': [] },
  async run(used, world) {
    await giveBack(used, world)
    return { type: 'token.restored' }
  },
})

/** Lets the same code sign in again, because the session of this browser must not use it yet. The user then returns to its form. */
export const deferToken = step({
  needs: ['visit', 'mailProvider', 'consumedToken', 'requestedCode'],
  says: { 'token.deferred': ['callbackUrl'] },
  async run({ mailProvider, ...used }, world) {
    await giveBack(used, world)
    return { type: 'token.deferred', callbackUrl: verifyRequestUrl(used.visit, mailProvider) }
  },
})
