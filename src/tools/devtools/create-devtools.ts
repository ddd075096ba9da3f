import { systemPlatform, ticks } from '../../platform/clock.ts'
import { readEnvironment } from '../../config/environment.ts'
import { InvalidConfig } from '../../errors/classes.ts'
import { joinTracers } from '../../flows/engine/join-tracers.ts'
import { tracer } from '../../types/symbols.ts'
import type { AuthConfig } from '../../types/config.ts'
import type { Tracer } from '../../types/trace.ts'
import { createPages } from './pages.ts'
import type { RecordedRun } from './recorded-run.ts'
import { createRecorder } from './recorder.ts'

/** Options of {@link createDevtools}. */
export interface DevtoolsOptions {
  /** Path under which `handle` is mounted. @default '/devtools' */
  readonly path?: string
  /**
   * Hosts on which the pages are available, without a port. Loopback hosts (`localhost`, `127.0.0.1`, `[::1]`) are
   * always allowed. Other hosts get 403, because a website can point its own name at your machine and read the
   * responses.
   * @default []
   */
  readonly hosts?: readonly string[]
  /**
   * Creates devtools even if NODE_ENV is neither `development` nor `test`. Everyone who can reach them sees what
   * happens on the site, but not who does it.
   * @default false
   */
  readonly dangerouslyAllowInProduction?: boolean
}

/** Records the flows of a configuration and shows them. */
export interface Devtools {
  /** Path under which to mount `handle`. */
  readonly path: string
  /**
   * Returns a copy of a configuration whose flows are recorded. Call it once, and pass the copy to `createAuth` or
   * `Auth`.
   */
  readonly watch: <const C extends Pick<AuthConfig, 'providers' | 'secret'>>(config: C) => C
  /** Handles every request under `path`: the pages and their files. */
  readonly handle: (request: Request) => Promise<Response>
  /** The last 30 runs of each flow, the newest first. */
  readonly runs: () => readonly RecordedRun[]
}

/**
 * Creates a live trace for development: a page that lists recent runs of flows, grouped by sign-in, and shows the path
 * of each run on the diagram of its flow. Diagrams need the package `elkjs`. Records only names and times; see
 * `RecordedRun`. A handler whose configuration is not watched has no overhead.
 *
 * @param options the path, and who may see the pages
 * @returns functions that record the flows and show them
 * @throws {InvalidConfig} unless NODE_ENV is `development` or `test`, or `dangerouslyAllowInProduction` is set; for a
 * path that does not start with a slash; and for a host with a port, a scheme or a path
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
      `Devtools need NODE_ENV to be "development" or "test", got ${NODE_ENV === '' ? 'no value' : `"${NODE_ENV}"`}. ` +
        'They show everyone what happens on the site. Set NODE_ENV, or `dangerouslyAllowInProduction`',
    )
  const odd = hosts.find((host) => !isHost(host))
  if (odd !== undefined)
    throw new InvalidConfig(`\`hosts\` of devtools must be names such as "dev.example.com", got "${odd}"`)
  const path = given.replace(/\/+$/, '')
  if (!/^\/[^\s?#]*$/.test(path))
    throw new InvalidConfig(`\`path\` of devtools must be a path such as "/devtools", got "${given}"`)
  const recorder = createRecorder({ now: systemPlatform.now, ticks, randomBytes: systemPlatform.randomBytes })
  const traces: Tracer = {
    begin: recorder.begin,
    reject: recorder.reject,
    find(id) {
      const run = recorder.find(id)
      return run && { url: `${path}/runs/${id}`, path: [...run.hops.map(({ state }) => state), run.state] }
    },
  }
  return {
    path,
    watch(config) {
      const { [tracer]: known } = config as Pick<AuthConfig, typeof tracer>
      return { ...config, [tracer]: joinTracers(known, traces) }
    },
    handle: createPages(recorder, path, new Set(hosts)),
    runs: recorder.list,
  }
}

/** The host must be written as by a URL parser, because it is compared with that of requests. */
function isHost(host: string): boolean {
  return URL.canParse(`http://${host}`) && new URL(`http://${host}`).hostname === host
}
