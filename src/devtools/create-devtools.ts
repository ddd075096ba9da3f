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
   * Devtools show everybody who can reach them what everybody does on the site, if not who.
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
 * @throws {InvalidConfig} where NODE_ENV is `production`, unless `dangerouslyAllowInProduction` says otherwise, and for a
 * path that does not begin with a slash
 * @example
 * const devtools = createDevtools()
 * const auth = createAuth(devtools.watch({ providers: [GitHub], debug: true }))
 * // Mount auth.handler under /auth, and devtools.handle under /devtools.
 */
export function createDevtools({
  path: given = '/devtools',
  dangerouslyAllowInProduction = false,
}: DevtoolsOptions = {}): Devtools {
  if (readEnvironment().NODE_ENV === 'production' && !dangerouslyAllowInProduction) {
    throw new InvalidConfig(
      'Devtools do not run where NODE_ENV is production: everybody would see what happens on the site. ' +
        'Make them in development only, or set dangerouslyAllowInProduction',
    )
  }
  const path = given.replace(/\/+$/, '')
  if (!/^\/[^\s?#]*$/.test(path))
    throw new InvalidConfig(`The path of devtools has to be one such as "/devtools", not "${given}"`)
  const recorder = createRecorder({ now: systemPlatform.now, ticks })
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
    handle: createPages(recorder, path),
    runs: recorder.list,
  }
}
