import fc from 'fast-check'
import type { Browser } from '../../world/browser.ts'
import type { World } from '../../world/world.ts'
import { plant, sessionName, update } from './sessions.ts'

/** What somebody may do with an application, rightly or wrongly. */
export const steps = [
  'look at the pages',
  'look at an error',
  'read the session',
  'come in',
  'come in by mail',
  'come in without a CSRF cookie',
  'be denied by the provider',
  'meet a broken provider',
  'come back twice',
  'forget the CSRF token',
  'update',
  'bring a broken session',
  'bring stale pieces',
  'go to a page that is none',
  'sign out',
] as const
export type Step = (typeof steps)[number]

/** A way through an application that comes in at least once. */
export const tours = fc
  .tuple(
    fc.array(fc.constantFrom(...steps), { maxLength: 4 }),
    fc.array(fc.constantFrom(...steps), { maxLength: 4 }),
  )
  .map(([before, after]): readonly Step[] => [...before, 'come in', ...after])

/** Does these things, one after the other; what comes of them is in `world.replies`. */
export async function tour(
  world: World,
  browser: Browser,
  way: readonly Step[],
  door: 'alpha' | 'plain',
): Promise<void> {
  const { ada } = world.people
  const at = (path: string) => `${world.basePath}/${path}`
  for (const step of way) {
    switch (step) {
      case 'look at the pages':
        for (const page of ['signin', 'signout', 'error', 'verify-request', 'providers', 'csrf'])
          await browser.send(at(page))
        break
      case 'look at an error':
        for (const error of ['AccessDenied', 'Verification', 'Configuration', '<b>'])
          await browser.send(at(`error?${new URLSearchParams({ error })}`))
        await browser.send(at('signin?error=OAuthAccountNotLinked&callbackUrl=%2Fhere'))
        break
      case 'read the session':
        await browser.readSession()
        break
      case 'come in':
        await browser.arrive(await browser.visit(door, ada))
        break
      case 'come in by mail':
        if (world.idOf('mail') !== undefined)
          await browser.followLink(await browser.askLink(ada.address.mail))
        break
      case 'come in without a CSRF cookie': {
        const arrival = await browser.visit(door, ada)
        for (const name of Object.keys(browser.cookies()))
          if (name.endsWith('csrf-token') || name.endsWith('callback-url')) browser.dropCookie(name)
        await browser.arrive(arrival)
        break
      }
      case 'be denied by the provider': {
        const arrival = await browser.visit(door, ada)
        arrival.parameters.delete('code')
        arrival.parameters.set('error', 'access_denied')
        await browser.arrive(arrival)
        break
      }
      case 'meet a broken provider':
        world.idps[door].misbehave('token:500')
        await browser.arrive(await browser.visit(door, ada))
        world.idps[door].misbehave()
        break
      case 'come back twice': {
        const arrival = await browser.visit(door, ada)
        await browser.arrive(arrival)
        arrival.parameters.set('code', 'of-nobody')
        await browser.arrive(arrival)
        break
      }
      case 'forget the CSRF token':
        for (const page of [`signin/${world.idOf(door) ?? ''}`, 'signout', 'session'])
          await browser.send(at(page), { form: { csrfToken: 'wrong' } })
        break
      case 'update':
        await update(world, browser, { note: 'news' })
        break
      case 'bring a broken session': {
        const other = world.browser('bob')
        await other.signIn('alpha', world.people.bob)
        plant(browser, { [sessionName(world, other)]: 'broken' })
        await browser.readSession()
        break
      }
      case 'bring stale pieces': {
        const other = world.browser('bob')
        await other.signIn('alpha', world.people.bob)
        const name = sessionName(world, other)
        plant(browser, { [`${name}.0`]: 'stale', [`${name}.1`]: 'pieces' })
        await browser.readSession()
        break
      }
      case 'go to a page that is none':
        await browser.send(at('nowhere'))
        await browser.send(at('callback/nobody'))
        break
      case 'sign out':
        await browser.signOut()
    }
  }
}

/** Somebody else's session, come by honestly. */
export async function freshSession(world: World) {
  const other = world.browser('eve')
  await other.signIn('plain', world.people.eve)
  return other.readSession()
}
