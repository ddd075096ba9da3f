/**
 * `node test/explorer/record-stories.ts` writes src/tools/explorer/stories.json. Run it after a change of a machine; a test
 * fails if a story is no longer a path of its machine.
 *
 * Records how the oracle checks the requirement behind each published advisory: the requests, the transitions of
 * the library, and its calls. The oracle replaces the clock, the randomness and the network of its thread, so no
 * generator can do this.
 */
import { writeFile } from 'node:fs/promises'
import fc from 'fast-check'
import { createHandler, flows } from 'authmachine/instrumented'
import type { AuthConfig } from 'authmachine/types'
import { advisories } from '../../fuzz/advisories.ts'
import { properties } from '../../fuzz/properties/index.ts'
import { setupsOf, type Property } from '../../fuzz/properties/property.ts'
import { prepareGround } from '../../fuzz/run/ground.ts'
import { whyNot } from '../../fuzz/run/why-not.ts'
import { driveLibrary } from '../../fuzz/targets/library.ts'
import { openOurs } from '../../fuzz/targets/ours.ts'
import type { Setup } from '../../fuzz/targets/setup.ts'
import type { Handle, LibraryTarget } from '../../fuzz/targets/target.ts'
import type { Browser } from '../../fuzz/world/browser.ts'
import { openWorld, type World } from '../../fuzz/world/world.ts'
import { requirement, type RequirementId } from '../../spec/index.ts'
import type { Frame, Recording } from '../../src/tools/explorer/data.ts'

/** Longer stories are hard to follow. */
const longest = 60
/** Cases of each property from which the shortest story is chosen. */
const cases = 12

let frames: Frame[] = []
let by: string | undefined

const handle = createHandler(
  undefined,
  ({ flow, state, event, next }) => void frames.push({ kind: 'hop', flow, state, event, next }),
)
const target: LibraryTarget = {
  ...openOurs(flows),
  open(config): Handle {
    const watched: object = watchConfig(config)
    return async (request) => {
      const { pathname } = new URL(request.url)
      const text = `${request.method} ${pathname.replace(/^\/auth\//, '').slice(0, 60)}`
      frames.push({ kind: 'request', text, ...(by !== undefined && { by }) })
      const response = (await handle(request, watched as AuthConfig)) as Response
      frames.push({ kind: 'reply', text: describeResponse(response) })
      return response
    }
  },
}
/** Records the calls of the token functions as requests, because the tokens that they read come from a browser. */
const tokens = Object.fromEntries(
  Object.entries(target.tokens ?? {}).map(([name, call]: [string, (params: never) => Promise<unknown>]) => [
    name,
    async (params: never) => {
      frames.push({ kind: 'request', text: `a token for ${name}()` })
      const result = await call(params)
      const isRefused = result === null
      frames.push({
        kind: 'reply',
        text: isRefused ? 'null' : typeof result === 'object' ? 'claims' : 'a token',
      })
      return result
    },
  ]),
) as unknown as LibraryTarget['tokens']
const ground = prepareGround()
const driver = driveLibrary(
  { ...target, ...(tokens && { tokens }) },
  {
    ...ground,
    route: (send) =>
      ground.route((input, init) => {
        const request = new Request(input, init)
        const { pathname } = new URL(request.url)
        frames.push({ kind: 'call', to: 'provider', text: `${request.method} ${pathname}` })
        return send(input, init)
      }),
  },
)

/** Records the calls to the store and the mailer. */
function watchConfig(config: Record<string, unknown>): Record<string, unknown> {
  const watch = (to: 'store' | 'mail', object: object, only?: string) =>
    Object.fromEntries(
      Object.entries(object).map(([name, each]: [string, unknown]) => [
        name,
        typeof each === 'function' && (only === undefined || only === name)
          ? (...args: unknown[]): unknown => {
              frames.push({ kind: 'call', to, text: name })
              return Reflect.apply(each, object, args)
            }
          : each,
      ]),
    )
  const { adapter, providers } = config
  return {
    ...config,
    ...(typeof adapter === 'object' && adapter !== null && { adapter: watch('store', adapter) }),
    ...(Array.isArray(providers) && {
      providers: providers.map((provider: { type?: unknown }) =>
        provider.type === 'email' ? watch('mail', provider, 'sendVerificationRequest') : provider,
      ),
    }),
  }
}

function describeResponse({ status, headers }: Response): string {
  const location = headers.get('location')
  if (location === null || !URL.canParse(location, 'https://app.example')) return String(status)
  const { host, pathname, searchParams } = new URL(location, 'https://app.example')
  const error = searchParams.get('error')
  return `${status} to ${host}${pathname}${error === null ? '' : `?error=${error}`}`.slice(0, 90)
}

/** Runs one case, and returns its frames up to the last check of the requirement. */
async function record(property: Property, setup: Setup, salt: number, input: unknown, id: RequirementId) {
  frames = []
  by = undefined
  let end = 0
  const world = await openWorld(driver, setup, salt)
  const told = (each: World): World => ({
    ...each,
    browser: (owner) => tellOwner(each.browser(owner)),
    prove: (browser, ...proof) => each.prove(untold.get(browser) ?? browser, ...proof),
    another: async (...setting) => told(await each.another(...setting)),
    check(name, condition, message) {
      each.check(name, condition, message)
      frames.push({ kind: 'check', id: requirement(name).id, holds: true, text: '' })
      if (requirement(name).id === id) end = frames.length
    },
  })
  try {
    await property.run(told(world), input as never)
  } catch {
    return undefined
  } finally {
    await world.close()
  }
  return shorten(withoutRepeats(frames.slice(0, end)))
}

/** The browsers behind those that {@link tellOwner} returned. */
const untold = new WeakMap<Browser, Browser>()

/** Notes who sends a request. */
function tellOwner(browser: Browser): Browser {
  const told = new Proxy(browser, {
    get(object, name) {
      const each: unknown = Reflect.get(object, name)
      if (typeof each !== 'function') return each
      return (...args: unknown[]): unknown => {
        by = browser.name
        return Reflect.apply(each, object, args)
      }
    },
  })
  untold.set(told, browser)
  return told
}

function withoutRepeats(all: readonly Frame[]): readonly Frame[] {
  return all.filter(
    (frame, index) => frame.kind !== 'check' || JSON.stringify(frame) !== JSON.stringify(all[index - 1]),
  )
}

/** The check is at the end, so a long story begins later, with a request. */
function shorten(story: readonly Frame[]): readonly Frame[] {
  const last = story.slice(-longest)
  return story.length <= longest ? story : last.slice(last.findIndex(({ kind }) => kind === 'request'))
}

/** Transitions show more, requests one after the other can be followed, and a short story is easier to follow. */
function cost(story: readonly Frame[]): number {
  const hasHops = story.some(({ kind }) => kind === 'hop')
  const messages = story.filter(({ kind }) => kind === 'request' || kind === 'reply')
  const isOverlapping = messages.some(({ kind }, index) => kind === messages[index - 1]?.kind)
  return story.length + (hasHops ? 0 : 1000) + (isOverlapping ? 2000 : 0)
}

async function findStory(id: RequirementId): Promise<Recording | undefined> {
  let best: { readonly property: Property; readonly story: readonly Frame[] } | undefined
  for (const property of properties.filter(({ proves }) => proves.includes(id)))
    for (const setup of Object.values(setupsOf(property))) {
      if (whyNot(property, setup, driver)) continue
      const inputs = fc.sample(fc.tuple(fc.nat(), property.input), { seed: 1, numRuns: cases })
      for (const [salt, input] of inputs) {
        const story = await record(property, setup, salt, input, id)
        const isStory = story?.some(({ kind }) => kind === 'request') ?? false
        if (story && isStory && (!best || cost(story) < cost(best.story))) best = { property, story }
      }
    }
  if (!best) return undefined
  const { property, story } = best
  return {
    id,
    title: `${id}: ${property.name}`,
    group: 'Stories of the oracle',
    text: property.story,
    requirements: [id],
    frames: story,
  }
}

const ids = [...new Set(advisories.flatMap(({ caughtBy }) => caughtBy.map((each) => requirement(each).id)))]
const stories: string[] = []
for (const id of ids.toSorted()) {
  const story = await findStory(id)
  if (story) stories.push(JSON.stringify(story))
  else process.stderr.write(`${id} has no story: its properties send no requests\n`)
}
await writeFile(
  new URL('../../src/tools/explorer/stories.json', import.meta.url),
  `[\n${stories.join(',\n')}\n]\n`,
)
process.exit(0)
