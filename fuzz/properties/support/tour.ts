import fc from 'fast-check'
import type { Browser } from '../../world/browser.ts'
import type { World } from '../../world/world.ts'
import { plant, sessionName, update } from './sessions.ts'

/** Actions of a user, valid or not. */
export const steps = [
  'open the pages',
  'open an error page',
  'read the session',
  'sign in',
  'sign in by mail',
  'sign in without a CSRF cookie',
  'be denied by the provider',
  'sign in at a broken provider',
  'return from the provider twice',
  'forget the CSRF token',
  'update',
  'send a broken session',
  'send stale chunks',
  'open a missing page',
  'sign out',
] as const
export type Step = (typeof steps)[number]

/** A sequence of actions with at least one sign-in. */
export const tours = fc
  .tuple(
    fc.array(fc.constantFrom(...steps), { maxLength: 4 }),
    fc.array(fc.constantFrom(...steps), { maxLength: 4 }),
  )
  .map(([before, after]): readonly Step[] => [...before, 'sign in', ...after])

/** Runs these actions in order; the responses are in `world.replies`. */
export async function tour(
  world: World,
  browser: Browser,
  way: readonly Step[],
  method: 'alpha' | 'plain',
): Promise<void> {
  const { ada } = world.people
  const at = (path: string) => `${world.basePath}/${path}`
  for (const step of way) {
    switch (step) {
      case 'open the pages':
        for (const page of ['signin', 'signout', 'error', 'verify-request', 'providers', 'csrf'])
          await browser.send(at(page))
        break
      case 'open an error page':
        for (const error of ['AccessDenied', 'Verification', 'Configuration', '<b>'])
          await browser.send(at(`error?${new URLSearchParams({ error })}`))
        await browser.send(at('signin?error=OAuthAccountNotLinked&callbackUrl=%2Fhere'))
        break
      case 'read the session':
        await browser.readSession()
        break
      case 'sign in':
        await browser.arrive(await browser.visit(method, ada))
        break
      case 'sign in by mail':
        if (world.idOf('mail') !== undefined)
          await browser.followLink(await browser.requestLink(ada.address.mail))
        break
      case 'sign in without a CSRF cookie': {
        const arrival = await browser.visit(method, ada)
        for (const name of Object.keys(browser.cookies()))
          if (name.endsWith('csrf-token') || name.endsWith('callback-url')) browser.dropCookie(name)
        await browser.arrive(arrival)
        break
      }
      case 'be denied by the provider': {
        const arrival = await browser.visit(method, ada)
        arrival.parameters.delete('code')
        arrival.parameters.set('error', 'access_denied')
        await browser.arrive(arrival)
        break
      }
      case 'sign in at a broken provider':
        world.idps[method].misbehave('token:500')
        await browser.arrive(await browser.visit(method, ada))
        world.idps[method].misbehave()
        break
      case 'return from the provider twice': {
        const arrival = await browser.visit(method, ada)
        await browser.arrive(arrival)
        arrival.parameters.set('code', 'of-nobody')
        await browser.arrive(arrival)
        break
      }
      case 'forget the CSRF token':
        for (const page of [`signin/${world.idOf(method) ?? ''}`, 'signout', 'session'])
          await browser.send(at(page), { form: { csrfToken: 'wrong' } })
        break
      case 'update':
        await update(world, browser, { note: 'news' })
        break
      case 'send a broken session': {
        const other = world.browser('bob')
        await other.signIn('alpha', world.people.bob)
        plant(browser, { [sessionName(world, other)]: 'broken' })
        await browser.readSession()
        break
      }
      case 'send stale chunks': {
        const other = world.browser('bob')
        await other.signIn('alpha', world.people.bob)
        const name = sessionName(world, other)
        plant(browser, { [`${name}.0`]: 'stale', [`${name}.1`]: 'chunks' })
        await browser.readSession()
        break
      }
      case 'open a missing page':
        await browser.send(at('nowhere'))
        await browser.send(at('callback/nobody'))
        break
      case 'sign out':
        await browser.signOut()
    }
  }
}

/** A valid session of another user. */
export async function freshSession(world: World) {
  const other = world.browser('eve')
  await other.signIn('plain', world.people.eve)
  return other.readSession()
}
