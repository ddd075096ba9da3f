/**
 * `npm run bench -- sessions`: `getSession`, which applications call for each page, and its equivalents in other
 * libraries. The unit is the time that `decode` takes for the same claims in the same round.
 */
import assert from 'node:assert/strict'
import * as app from './application.ts'
import { openBetterAuthServer, type CookieCache, type OpenBetterAuth } from './contestants.ts'
import { loadPeer } from './load-peer.ts'
import { fullEffort, measure, quickEffort, type Timing, type Variant } from './measure.ts'
import { present, show, type Asked, type Table } from './present.ts'
import { openReaders, type Read } from './readers.ts'
import { judge, tell, type Verdict } from './targets.ts'

type OpenReader = (given: { readonly claims: object; readonly secret: string }) => Promise<Read>

async function openPeers(): Promise<Record<'JWT' | 'store' | 'none', Variant[]>> {
  const peers = await loadPeer<Record<'openIronSession' | 'openHonoJwt', OpenReader>>('session-readers')
  const { openBetterAuth } = await loadPeer<{ openBetterAuth: OpenBetterAuth }>('better-auth')
  const openBetter = async (cookieCache?: CookieCache) => {
    const { api, cookie } = await openBetterAuthServer(openBetterAuth, cookieCache)
    const headers = new Headers({ cookie })
    const read = () => api.getSession({ headers })
    return { read, readNothing: () => api.getSession({ headers: new Headers() }) }
  }
  const cached = await Promise.all(
    (['compact', 'jwt', 'jwe'] as const).map(async (cache) => ({
      name: `better-auth, ${cache} cookie cache`,
      run: (await openBetter(cache)).read,
    })),
  )
  const uncached = await openBetter()
  return {
    JWT: [
      ...cached,
      { name: 'iron-session', run: await peers.openIronSession({ claims: app.claims, secret: app.secret }) },
      {
        name: 'hono/jwt (signed, not encrypted)',
        run: await peers.openHonoJwt({ claims: app.claims, secret: app.secret }),
      },
    ],
    store: [{ name: 'better-auth, memory store', run: uncached.read }],
    none: [{ name: 'better-auth, memory store', run: uncached.readNothing }],
  }
}

/** Returns the user's name from the session of any of the libraries. */
function nameIn(session: unknown): unknown {
  const { user, name } = (session ?? {}) as { user?: { name?: unknown }; name?: unknown }
  return user?.name ?? name
}

async function timeReaders({ isQuick }: Asked): Promise<Table[]> {
  const { decode, JWT, none, store, adapter } = await openReaders()
  const own = (run: Read) => ({ name: 'authmachine', run })
  const unit = { name: '`decode`', run: decode }
  const effort = isQuick ? quickEffort : fullEffort
  const time = async (variants: readonly Variant[], user: string | undefined) => {
    for (const { name, run } of variants) assert.equal(nameIn(await run()), user, `${name} has another user`)
    const [, ...timings] = await measure([unit, ...variants], 1, effort)
    return timings
  }
  const { name: user } = app.user
  // Before any peer is loaded, as in `run.ts`.
  const ownTimings = {
    JWT: await time([own(JWT)], user),
    none: await time([own(none)], undefined),
    store: await time([own(store), { name: adapterAlone, run: adapter }], user),
  }
  const peers = await openPeers()
  const rows: string[][] = []
  const verdicts: Verdict[] = []
  for (const title of ['JWT', 'none', 'store'] as const) {
    const timings = ownTimings[title]
    const verdict = judgeGroup(title, timings)
    verdicts.push(verdict)
    const theirs = await time(peers[title], title === 'none' ? undefined : user)
    rows.push(
      ...[...timings, ...theirs].map((timing, at) =>
        cells(timing, at === 0 ? { title, verdict } : undefined),
      ),
    )
    console.error(`measured: ${title}`)
  }
  const about =
    '`getSession(request)` with a session token, without a session cookie, and with a session in a store, for a Request ' +
    'that exists already. One decode is the time of `decode` for the same claims in the same round. Peers read the same ' +
    'user with their own function and cookie.'
  const head = ['session', 'what', 'µs', 'quartiles', 'decodes', 'CPU decodes', 'target']
  return [{ title: 'Reading a session', about, head, rows, verdicts }]
}

const adapterAlone = 'the adapter call alone'

/** Judges this library, whose timing is the first. The adapter's own time, if measured, comes on top of the target. */
function judgeGroup(title: string, timings: readonly Timing[]): Verdict {
  const ratio = timings[0]?.ratio ?? Number.NaN
  const adapter = timings.find(({ name }) => name === adapterAlone)
  const unit = adapter ? 'decodes more than the adapter call' : 'decodes'
  return judge(`getSession (${title})`, unit, ratio - (adapter?.ratio ?? 0))
}

function cells(
  { name, median, low, high, ratio, cpuRatio }: Timing,
  first?: { readonly title: string; readonly verdict: Verdict },
): string[] {
  return [
    first?.title ?? '',
    name,
    show(median),
    `${show(low)} to ${show(high)}`,
    ratio.toFixed(2),
    cpuRatio.toFixed(2),
    first ? tell(first.verdict) : '',
  ]
}

await present(timeReaders)
