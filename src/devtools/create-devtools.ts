import { systemPlatform, ticks } from '../clock.ts'
import { readEnvironment } from '../config/environment.ts'
import { InvalidConfig } from '../errors.ts'
import { tracer } from '../symbols.ts'
import type { AuthConfig } from '../types/config.ts'
import type { Tracer } from '../types/trace.ts'
import { createPages } from './pages.ts'
import type { RecordedRun } from './recorded-run.ts'
import { createRecorder } from './recorder.ts'

/** Where the pages are, and whether they may be made at all. */
export interface DevtoolsOptions {
  /** Path under which `handle` is mounted. @default '/devtools' */
  readonly path?: string
  /**
   * Hosts at which the pages may be read, beside those of loopback (`localhost`, `127.0.0.1`, `[::1]`), without a port.
   * Any other host gets 403: a page on the internet can have its own name resolve to your machine, and read what is there.
   * @default []
   */
  readonly hosts?: readonly string[]
  /**
   * Makes devtools even if NODE_ENV is neither `development` nor `test`. They show everybody who can reach them what
   * everybody does on the site, if not who.
   * @default false
   */
  readonly dangerouslyAllowInProduction?: boolean
}

/** What records the flows of a configuration, and shows them. */
export interface Devtools {
  /** Path under which `handle` is to be mounted. */
  readonly path: string
  /** A copy of a configuration that is watched: make it once, and give it to `createAuth` or `Auth` in place of the other. */
  readonly watch: <C extends Pick<AuthConfig, 'providers'>>(config: C) => C
  /** Answers every request under `path`: the pages, and what they load. */
  readonly handle: (request: Request) => Promise<Response>
  /** The last 30 runs of each flow, the newest first. */
  readonly runs: () => readonly RecordedRun[]
}

/**
 * Makes a live trace for development: a page of recent flows as they happen, each of which opens as the drawing of its
 * chart, with the path taken lit. Drawings need the package `elkjs`. What is recorded are names and times alone; see
 * `RecordedRun`. A handler whose configuration is not watched does nothing for devtools.
 *
 * @throws {InvalidConfig} unless NODE_ENV is `development` or `test`, or `dangerouslyAllowInProduction` is set; for a path
 * that does not begin with a slash; and for a host with a port, a scheme or a path
 * @example
 * const devtools = createDevtools()
 * const auth = createAuth(devtools.watch({ providers: [GitHub], debug: true }))
 * // Mount auth.handler under /auth, and devtools.handle under /devtools.
 */
export function createDevtools({
  path: given = '/devtools',
  hosts = [],
  dangerouslyAllowInProduction = false,
}: DevtoolsOptions = {}): Devtools {
  const { NODE_ENV = '' } = readEnvironment()
  if (!['development', 'test'].includes(NODE_ENV) && !dangerouslyAllowInProduction)
    throw new InvalidConfig(
      `Devtools need NODE_ENV to be "development" or "test", not ${NODE_ENV === '' ? 'unset' : `"${NODE_ENV}"`}: ` +
        'everybody would see what happens on the site. Set NODE_ENV, or dangerouslyAllowInProduction',
    )
  const odd = hosts.find((host) => !isHost(host))
  if (odd !== undefined)
    throw new InvalidConfig(`A host of devtools is a name such as "dev.example.com", not "${odd}"`)
  const path = given.replace(/\/+$/, '')
  if (!/^\/[^\s?#]*$/.test(path))
    throw new InvalidConfig(`The path of devtools has to be one such as "/devtools", not "${given}"`)
  const recorder = createRecorder({ now: systemPlatform.now, ticks, randomBytes: systemPlatform.randomBytes })
  const traces: Tracer = {
    begin: recorder.begin,
    find(id) {
      const run = recorder.find(id)
      return run && { url: `${path}/runs/${id}`, path: [...run.hops.map(({ state }) => state), run.state] }
    },
  }
  return {
    path,
    watch: (config) => ({ ...config, [tracer]: traces }),
    handle: createPages(recorder, path, new Set(hosts)),
    runs: recorder.list,
  }
}

/** Requests are compared with it as a URL parser writes it. */
function isHost(host: string): boolean {
  return URL.canParse(`http://${host}`) && new URL(`http://${host}`).hostname === host
}
