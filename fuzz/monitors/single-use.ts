import { Breach, type Meaning } from '../world/breach.ts'
import type { Network } from '../world/network.ts'
import { actionOf, opensSession, type Monitor, type Watched } from './monitor.ts'

const usedTwice: Meaning = {
  story: 'Anyone who reads a mailed link later, in a forwarded mail or a log, signs in with it again.',
  advice: 'Delete the token from the store when you read it, in one step, before you open a session.',
}

const sentTwice: Meaning = {
  story: 'A second request with the same response makes the provider revoke the tokens of the first.',
  advice: 'Clear the check cookies with the first response, and keep used transactions on the server.',
}

/** Checks that a link opens at most one session. */
export function watchLinks({ basePath }: Watched): Monitor {
  const spent = new Set<string>()
  return {
    answered({ request, body, reply }) {
      if (actionOf(request, basePath) === 'callback' && opensSession(reply)) {
        const token = new URL(request.url).searchParams.get('token') ?? new URLSearchParams(body).get('token')
        if (token !== null && spent.has(token))
          throw new Breach('SU-01', 'one link opened two sessions', usedTwice)
        if (token !== null) spent.add(token)
      }
    },
  }
}

/** Checks that a transaction sends its code once. */
export function watchCodes(network: Network): Monitor {
  let seen = 0
  const codes = new Set<string>()
  return {
    answered() {
      for (; seen < network.sent.length; seen++) {
        const sent = new URLSearchParams(network.sent[seen]?.body)
        const [code, verifier] = [sent.get('code'), sent.get('code_verifier')]
        // The verifier identifies the transaction: an attacker may try a stolen code in another one.
        if (code === null || verifier === null) continue
        const both = `${code} ${verifier}`
        if (codes.has(both))
          throw new Breach('CC-08', 'one code was sent to the token endpoint twice', sentTwice)
        codes.add(both)
      }
    },
  }
}
