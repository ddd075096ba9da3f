import type { Browser } from '../../../world/browser.ts'
import type { World } from '../../../world/world.ts'
import { readActions, type Action } from './read-actions.ts'
import { act, open } from './visit.ts'

const isSignOut = /log.?out|log.?off|sign.?out|leave|exit|bye|logga ut|abmelden/i
const paths = [
  '/logout',
  '/signout',
  '/sign-out',
  '/auth/logout',
  '/auth/signout',
  '/account/logout',
  '/accounts/logout/',
  '/users/sign_out',
]

/** Finds the request that signs out. Prefers forms to links, and requests that a page offers to usual ones. */
export async function learnSignOut(
  world: World,
  browser: Browser,
  pages: readonly string[],
  isSignedIn: () => Promise<boolean>,
): Promise<{ readonly action: Action; readonly page: string; readonly revokes: boolean } | undefined> {
  const saved = browser.save()
  for (const { action, page } of [...(await listOffered(world, browser, pages)), ...listUsual(world)]) {
    browser.restore(saved)
    // The token of a form belongs to the session of this browser.
    await act(world, browser, action)
    if (await isSignedIn()) continue
    browser.restore(saved)
    return { action, page, revokes: !(await isSignedIn()) }
  }
  browser.restore(saved)
  return undefined
}

interface Offered {
  readonly action: Action
  readonly page: string
}

async function listOffered(world: World, browser: Browser, pages: readonly string[]): Promise<Offered[]> {
  const offered: Offered[] = []
  for (const page of pages) {
    const { reply, url } = await open(world, browser, `${world.basePath}${page}`)
    for (const action of readActions(reply.text, url))
      if (isSignOut.test(`${action.says} ${action.url.pathname}`)) offered.push({ action, page })
  }
  return offered.toSorted((a, b) => Number(b.action.method === 'POST') - Number(a.action.method === 'POST'))
}

function listUsual({ basePath, origin }: World): Offered[] {
  return (['POST', 'GET'] as const).flatMap((method) =>
    paths.map((path) => ({
      page: path,
      action: { says: path, method, url: new URL(`${basePath}${path}`, origin), fields: {}, hidden: [] },
    })),
  )
}
