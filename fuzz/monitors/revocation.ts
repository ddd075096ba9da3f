import { Breach, type Meaning } from '../world/breach.ts'
import { member } from '../world/reply.ts'
import { actionOf, opensSession, sessionCookie, type Monitor, type Watched } from './monitor.ts'

const stillValid: Meaning = {
  story:
    'An attacker copies the cookie on a shared computer, and uses the session after its owner signs out.',
  advice: 'Delete the session from the store at sign-out, and read the store for each request.',
}

const revived: Meaning = {
  story: 'The user signs out, and a request that was still open signs them in again.',
  advice: 'Extend a session only if its row still exists, in the same statement.',
}

/**
 * Checks that a revoked session stays revoked: a request with its cookie, sent after the sign-out completed, is not signed
 * in and does not get a new session. A request that was already pending may be. Cookies that the application never issued
 * are not sessions.
 */
export function watchRevocations({ basePath, strategy, capabilities }: Watched): Monitor {
  const given = new Set<string>()
  const revoked = new Set<string>()
  const late = new WeakSet<Request>()
  const isFinal = strategy === 'database' || capabilities.has('jwt-revocation')
  return {
    sent(_, request) {
      if (sessionsOf(request).some((value) => revoked.has(value))) late.add(request)
    },
    answered({ browser, request, reply }) {
      if (!isFinal) return
      for (const { key, value } of reply.cookies) if (sessionCookie.test(key)) given.add(value)
      const isRevoked = late.has(request)
      if (isRevoked && member(reply.json, 'user') !== undefined)
        throw new Breach('SE-10', `${browser.name}'s session still works after its sign-out`, stillValid)
      if (isRevoked && actionOf(request, basePath) === 'session' && opensSession(reply))
        throw new Breach('CC-03', `${browser.name}'s session came back after its sign-out`, revived)
      const isSignOut = actionOf(request, basePath) === 'signout' && request.method === 'POST'
      const cleared = reply.cookies.some(({ key, value }) => sessionCookie.test(key) && value === '')
      const isDone = reply.status < 400 && !reply.location?.searchParams.has('error')
      if (isSignOut && cleared && isDone)
        for (const value of sessionsOf(request)) if (given.has(value)) revoked.add(value)
    },
  }
}

function sessionsOf({ headers }: Request): string[] {
  return (headers.get('cookie') ?? '').split('; ').flatMap((pair) => {
    const [name = '', value = ''] = pair.split('=')
    return sessionCookie.test(name) && value !== '' ? [value] : []
  })
}
