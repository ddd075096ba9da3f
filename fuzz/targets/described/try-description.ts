import { Unreached } from '../../world/breach.ts'
import type { Browser } from '../../world/browser.ts'
import type { Hosted } from '../../world/hosted.ts'
import type { RemoteName } from '../../world/people.ts'
import { openWorld, type World } from '../../world/world.ts'
import type { Driver } from '../target.ts'
import { takesTarget, type Description } from './description.ts'
import { driveDescribed, remotes, type DescribedApplication } from './drive.ts'

/** The result of trying one member of a description. */
export interface Trial {
  readonly member: string
  /** `unused` if the description does not have it. */
  readonly result: 'fits' | 'does not fit' | 'unused'
  readonly says: string
}

/** Tries each member of a description on the running application, in the order in which a sign-in uses them. */
export async function tryDescription(application: DescribedApplication, hosted: Hosted): Promise<Trial[]> {
  const { description } = application
  const trials: Trial[] = []
  const note = (member: string, isGood: boolean, says: string) =>
    void trials.push({ member, result: isGood ? 'fits' : 'does not fit', says })
  let driver: Driver
  try {
    driver = await driveDescribed(application, hosted)
  } catch (error) {
    note('signIn', false, error instanceof Error ? error.message : String(error))
    return trials
  }
  const used = remotes.filter((name) => driver.providers.has(name))
  note('signIn', true, `redirects to ${used.join(', ')}`)
  const world = await openWorld(driver, {}, 0)
  const browser = world.browser('ada')
  const before = await browser.whoAmI()
  note('session', before === undefined, `before a sign-in, shows ${before ?? 'nobody'}`)
  for (const name of used) await trySignIn(world, name, note)
  await browser.signIn(used[0] ?? 'alpha', world.people.ada).catch(ignoreUnreached)
  if ((await browser.whoAmI()) === undefined) return trials
  tryCookie(world, browser, description, note)
  await trySignOut(browser, description, note)
  await tryMail(world, description, note)
  if (description.log === undefined) trials.push(unused('log', 'the log is not tested'))
  else {
    const isWritten = (await world.described?.readLog()) !== ''
    note(
      'log',
      isWritten,
      `the application ${isWritten ? 'writes to it' : `wrote nothing to ${description.log}`}`,
    )
  }
  if (!takesTarget(description)) trials.push(unused('{returnTo}', 'redirects after a sign-in are not tested'))
  return trials

  async function trySignOut(signedIn: Browser, { signOut }: Description, tell: typeof note) {
    if (!signOut) return void trials.push(unused('signOut', 'signing out is not tested'))
    const copy = signedIn.save()
    const { status } = await signedIn.signOut()
    const who = await signedIn.whoAmI()
    tell(
      'signOut',
      who === undefined,
      `returns status ${status}; afterwards, the session shows ${who ?? 'nobody'}`,
    )
    signedIn.restore(copy)
    const isLeft = who === undefined && (await signedIn.whoAmI()) !== undefined
    if (isLeft && description.session.stateless !== true)
      tell(
        'session.stateless',
        false,
        'a copy of the cookies still works after the sign-out: set it to true, or fix the sign-out',
      )
  }

  async function tryMail({ people, browser: open }: World, { mail }: Description, tell: typeof note) {
    if (!mail) return void trials.push(unused('mail', 'mailed links are not tested'))
    const reader = open('bob')
    try {
      await reader.followLink(await reader.requestLink(people.bob.address.mail))
      const who = await reader.whoAmI()
      tell('mail', who === 'bob', `after the link is opened, the session shows ${who ?? 'nobody'}`)
    } catch (error) {
      tell('mail', false, ignoreUnreached(error))
    }
  }
}

type Note = (member: string, isGood: boolean, says: string) => void

async function trySignIn(world: World, name: RemoteName, note: Note): Promise<void> {
  const visitor = world.browser('eve')
  try {
    const { status } = await visitor.arrive(await visitor.visit(name, world.people.eve))
    const who = await visitor.whoAmI()
    const says = `the callback of ${name} returns status ${status}; then, the session shows ${who ?? 'nobody'}`
    note(status >= 400 ? 'callback' : 'session', who === 'eve', says)
  } catch (error) {
    note('callback', false, ignoreUnreached(error))
  }
}

function tryCookie(world: World, browser: Browser, { cookies }: Description, note: Note): void {
  const held = Object.keys(browser.cookies()).join(', ')
  const isThere = cookies?.session !== undefined && world.described?.sessionCookie(browser.cookies()) !== ''
  note('cookies.session', isThere, `a signed-in browser has the cookies ${held}`)
}

function unused(member: string, says: string): Trial {
  return { member, result: 'unused', says }
}

/** Returns the message of an unexpected response. @throws any other error */
function ignoreUnreached(error: unknown): string {
  if (error instanceof Unreached) return error.message
  throw error
}
