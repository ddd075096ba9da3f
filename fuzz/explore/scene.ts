import type { Driver } from '../targets/target.ts'
import type { Setup } from '../targets/setup.ts'
import type { Browser, Saved } from '../world/browser.ts'
import type { World } from '../world/world.ts'
import type { Names } from './names.ts'
import { type Entries, openRevocations } from './revocations.ts'
import type { Truth } from './truth.ts'

/** An application, the browsers of all people, and the truth about their actions. */
export interface Scene {
  readonly world: World
  readonly browsers: ReadonlyMap<string, Browser>
  readonly revocations: Entries
  /** Names things for a story. A search does not need it. */
  readonly names?: Names
  truth: Truth
}

/** Sessions contain the id of their user, because not every user has an address. */
const showUser = {
  session: ({
    session,
    user,
    token,
  }: {
    session: object
    user?: { id?: string }
    token?: { sub?: string }
  }) => ({
    ...session,
    userId: user?.id ?? token?.sub,
  }),
}

/**
 * Opens a scene in which nothing has happened yet.
 *
 * @param open opens its world: with a history, or without one
 * @param names those of the browsers
 */
export async function openScene(
  open: (setup: Setup) => Promise<World>,
  { strategy }: Pick<Driver, 'strategy'>,
  setup: Setup,
  names: readonly string[],
): Promise<Scene> {
  const revocations = openRevocations()
  const isToken = (strategy ?? setup.strategy) === 'jwt'
  const world = await open({
    ...setup,
    config: {
      debug: false,
      callbacks: showUser,
      ...setup.config,
      ...(isToken && { adapter: true, jwt: { revocations: revocations.store } }),
    },
  })
  return {
    world,
    browsers: new Map(names.map((name) => [name, world.browser(name)])),
    revocations,
    truth: {
      users: {},
      browsers: Object.fromEntries(names.map((name) => [name, {}])),
      mails: [],
      passkeys: {},
    },
  }
}

/** Saves the state of a scene between two requests, without the truth, which is complete only later. */
export function saveScene({ world, browsers, revocations }: Scene): () => void {
  const back = world.save?.() ?? (() => {})
  const jars = [...browsers].map(([, browser]): [Browser, Saved] => [browser, browser.save()])
  const entries = [...revocations]
  return () => {
    back()
    for (const [browser, jar] of jars) browser.restore(jar)
    revocations.clear()
    for (const [key, entry] of entries) revocations.set(key, entry)
  }
}
