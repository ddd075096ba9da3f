import { Unreached } from '../../world/breach.ts'
import type { Browser } from '../../world/browser.ts'
import type { Hosted } from '../../world/hosted.ts'
import type { RemoteName } from '../../world/people.ts'
import { openWorld, type World } from '../../world/world.ts'
import type { Driver } from '../target.ts'
import { idFor, takesTarget, type Description } from './description.ts'
import { driveDescribed, readText, remotes, type DescribedApplication } from './drive.ts'
import { methodOf } from './routes.ts'

/** The result of trying one member of a description. */
export interface Trial {
  readonly member: string
  /** `unused` if the description does not have the member, `not seen` if the trial cannot show whether it fits. */
  readonly result: 'fits' | 'does not fit' | 'not seen' | 'unused'
  readonly says: string
}

/** Writes the result of a trial as one line. */
export function describeTrial({ member, result, says }: Trial): string {
  return `${result.padEnd(12)}  ${member.padEnd(17)} ${says}`
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
  await tryCsrf()
  for (const name of used) await trySignIn(world, name, description, note)
  await browser.signIn(used[0] ?? 'alpha', world.people.ada).catch(ignoreUnreached)
  if ((await browser.whoAmI()) === undefined) return trials
  tryCookie(world, browser, description, note)
  await trySignOut(browser, description, note)
  await tryMail(world, description, note)
  if (description.log === undefined) trials.push(unused('log', 'the log is not tested'))
  // An application may log failures only.
  else if ((await world.described?.readLog()) === '')
    trials.push({
      member: 'log',
      result: 'not seen',
      says: `nothing was written to ${description.log} during this sign-in`,
    })
  else note('log', true, 'the application writes to it')
  if (!takesTarget(description.signIn))
    trials.push(unused('{returnTo}', 'redirects after a sign-in are not tested'))
  return trials

  async function tryCsrf() {
    const { csrf } = description
    if (csrf === undefined || csrf === 'none')
      return void trials.push(unused('csrf', 'requests have no CSRF token'))
    const isSent = [description.signIn, description.mail].some((each) => each && methodOf(each) === 'POST')
    // The sign-in or the request for a mail has fetched a token, and would have failed without it.
    if (isSent) note('csrf', true, `has a token before a sign-in`)
    else trials.push({ member: 'csrf', result: 'not seen', says: 'no POST before a sign-in needs a token' })
  }

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
        'after the sign-out, a copy of the cookies is still signed in. This is a bug, unless the cookie alone is your session: then set session.stateless to true',
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

async function trySignIn(
  world: World,
  name: RemoteName,
  description: Description,
  note: Note,
): Promise<void> {
  const visitor = world.browser('eve')
  const { session, callback } = description
  try {
    const { location } = await visitor.start(name)
    const wanted = location?.searchParams.get('redirect_uri') ?? ''
    const { status } = await visitor.arrive(await visitor.visit(name, world.people.eve))
    const who = await visitor.whoAmI()
    if (status >= 400) {
      const path =
        callback === undefined ? 'the callback' : callback.replace('{provider}', idFor(description, name))
      const says = `${path} returns status ${status}; the sign-in at ${name} asked to return to ${wanted}${describeRefusal(world, name)}`
      return note('callback', false, says)
    }
    if (who === 'eve') return note('session', true, `after a sign-in at ${name}, shows eve`)
    const { text } = await visitor.send(`${world.basePath}${session.url}`)
    note(
      'session',
      false,
      `after a sign-in at ${name}, ${describeSession(session, text)}${describeRefusal(world, name)}`,
    )
  } catch (error) {
    note('callback', false, ignoreUnreached(error))
  }
}

/** Says why the provider refused a request of this sign-in; nothing if it did not. */
function describeRefusal({ idps }: World, name: RemoteName): string {
  const refusal = idps[name].refusals.at(-1)
  return refusal === undefined ? '' : `; ${name} refused a request: ${refusal}`
}

/** Describes a response that does not show who is signed in. */
function describeSession({ url, user, text }: Description['session'], body: string): string {
  const shown = (text === undefined ? body : readText(body)).replaceAll(/\s+/g, ' ')
  const expected = text === undefined ? `has no ${user}` : `does not contain ${JSON.stringify(text)}`
  return `${url} returned ${shown.length > 160 ? `${shown.slice(0, 160)}…` : shown}, which ${expected}, or not the user who signed in`
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
