import { Breach } from '../world/breach.ts'
import { member } from '../world/reply.ts'
import { actionOf, opensSession, sessionCookie, type Monitor, type Watched } from './monitor.ts'

/**
 * What was revoked stays revoked: once a sign-out has answered, no request that carries that session's cookie is
 * answered as signed in, and none that was on its way brings it back.
 */
export function watchRevocations({ basePath, strategy, capabilities }: Watched): Monitor {
  const revoked = new Set<string>()
  const isFinal = strategy === 'database' || capabilities.has('jwt-revocation')
  return {
    answered({ browser, request, reply }) {
      if (!isFinal) return
      const held = sessionValues(request.headers.get('cookie') ?? '')
      const isRevoked = held.some((value) => revoked.has(value))
      if (isRevoked && member(reply.json, 'user') !== undefined)
        throw new Breach('SE-10', `${browser.name}'s session still answers after its sign-out`)
      if (isRevoked && actionOf(request, basePath) === 'session' && opensSession(reply))
        throw new Breach('CC-03', `${browser.name}'s session came back after its sign-out`)
      const isSignOut = actionOf(request, basePath) === 'signout' && request.method === 'POST'
      const cleared = reply.cookies.some(({ key, value }) => sessionCookie.test(key) && value === '')
      if (isSignOut && cleared && reply.status < 400) for (const value of held) revoked.add(value)
    },
  }
}

function sessionValues(header: string): string[] {
  return header.split('; ').flatMap((pair) => {
    const [name = '', value = ''] = pair.split('=')
    return sessionCookie.test(name) && value !== '' ? [value] : []
  })
}
