import { writeChunked } from '../cookies/chunks.ts'
import { AccessDenied } from '../errors.ts'
import { changeCsrf } from '../session/csrf-cookie.ts'
import { askLifetime, chooseLifetime, nameLifetime } from '../session/lifetime.ts'
import { readAnswer, sealSessionToken, tokenExpiry } from '../session/session-token.ts'
import { demandSession } from '../session/stored.ts'
import { rebuildRequest } from '../http/rebuild-request.ts'
import type { Visit } from '../http/visit.ts'
import type { AdapterUser } from '../types/adapter.ts'
import type { CallbacksOptions } from '../types/config.ts'
import type { User } from '../types/records.ts'
import { demandStore } from './demand-store.ts'
import { step } from './step.ts'
import type { World } from './world.ts'

type JwtParams = Parameters<CallbacksOptions['jwt']>[0]

/**
 * Issues a session with a token never seen before, and only then revokes the one that the browser held. The cookie is
 * set when everything else is done.
 */
export const issueSession = step({
  needs: ['visit', 'candidate', 'account'],
  may: ['member', 'createdUser', 'profile', 'holder'],
  says: { 'user.admitted': [], 'user.denied': ['failure'] },
  async run({ visit, candidate, account, member, createdUser, profile, holder }, world) {
    const user = member ?? candidate
    const isNewUser = world.store ? createdUser !== undefined && createdUser === member : undefined
    const arrival = { user, account, profile, isNewUser }
    const { strategy } = world.settings.session
    // Made first: what fails after the session cookie is set would be sent with it.
    const csrf = world.settings.csrf ? (await changeCsrf(visit, world.settings)).cookies : []
    const lifetime = await askLifetime(world.settings, () => ({
      user,
      account,
      request: rebuildRequest(visit),
    }))
    const isIssued =
      strategy === 'jwt'
        ? await issueToken({ ...arrival, trigger: isNewUser ? 'signUp' : 'signIn' }, lifetime, visit, world)
        : await issueRow(holder ?? user, lifetime, visit, world)
    if (!isIssued) return { type: 'user.denied', failure: new AccessDenied('The jwt callback refused') }
    world.out.setCookies(csrf)
    world.out.announce({ event: 'signIn', message: arrival })
    return { type: 'user.admitted' }
  },
})

async function issueToken(
  arrival: Omit<JwtParams, 'token'>,
  lifetime: number | undefined,
  visit: Visit,
  { settings, keys, platform, out }: World,
): Promise<boolean> {
  const { name, email, image, id } = arrival.user
  const answer = await settings.callbacks.jwt({
    ...arrival,
    token: { name, email, picture: image, sub: id === undefined ? id : String(id) },
  })
  const claims = readAnswer(answer)
  if (claims === null) return false
  const token = chooseLifetime(claims, lifetime)
  const cookie = visit.cookieTable.sessionToken
  const now = platform.now()
  const sealed = await sealSessionToken(token, cookie.name, settings, keys, now)
  out.setCookies(writeChunked(visit.cookies, cookie, sealed, tokenExpiry(token, now, settings)))
  return true
}

async function issueRow(
  user: User | AdapterUser,
  lifetime: number | undefined,
  visit: Visit,
  world: World,
): Promise<boolean> {
  const { settings, platform, out } = world
  const store = demandStore(world)
  const cookie = visit.cookieTable.sessionToken
  const generated = settings.session.generateSessionToken()
  if (typeof generated !== 'string' || generated === '')
    throw new TypeError('session.generateSessionToken has to answer a non-empty string')
  const sessionToken = nameLifetime(generated, lifetime)
  const expires = new Date(platform.now() + (lifetime ?? settings.session.maxAge) * 1000)
  const row = demandSession(
    await store.createSession({ sessionToken, userId: user.id ?? '', expires }),
    'createSession',
  )
  const held = visit.cookies.get(cookie.name)
  if (held && held !== sessionToken) await store.deleteSession(held)
  out.setCookies(writeChunked(visit.cookies, cookie, row.sessionToken, row.expires))
  return true
}
