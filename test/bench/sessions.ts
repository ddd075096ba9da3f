/**
 * `npm run bench -- sessions`: `getSession`, which applications call for each page, and what takes its place elsewhere.
 * The unit is the time that `decode` takes for the same claims in the same round.
 */
import assert from 'node:assert/strict'
import * as app from './application.ts'
import { claims, openBetterAuthServer, type CookieCache, type OpenBetterAuth } from './contestants.ts'
import { loadPeer } from './load-peer.ts'
import { measure, type Timing, type Variant } from './measure.ts'
import { present, show, type Asked, type Table } from './present.ts'
import { openReaders, type Read } from './readers.ts'

type OpenReader = (given: { readonly claims: object; readonly secret: string }) => Promise<Read>

async function openPeers(): Promise<Record<'encrypted' | 'stored' | 'none', Variant[]>> {
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
    encrypted: [
      ...cached,
      { name: 'iron-session', run: await peers.openIronSession({ claims, secret: app.secret }) },
      {
        name: 'hono/jwt (signed, not encrypted)',
        run: await peers.openHonoJwt({ claims, secret: app.secret }),
      },
    ],
    stored: [{ name: 'better-auth, memory store', run: uncached.read }],
    none: [{ name: 'better-auth, memory store', run: uncached.readNothing }],
  }
}

/** The user's name, wherever a library keeps it. */
function nameIn(session: unknown): unknown {
  const { user, name } = (session ?? {}) as { user?: { name?: unknown }; name?: unknown }
  return user?.name ?? name
}

interface Group {
  readonly title: string
  readonly variants: readonly Variant[]
  /** The most decodes that the first variant may take. The adapter's own time, if measured, comes on top. */
  readonly atMost: number
  readonly user: string | undefined
}

async function timeReaders({ isQuick }: Asked): Promise<Table[]> {
  const { decode, JWT, none, store, adapter } = await openReaders()
  const peers = await openPeers()
  const own = (run: Read) => ({ name: 'authmachine', run })
  const groups: readonly Group[] = [
    { title: 'JWT', variants: [own(JWT), ...peers.encrypted], atMost: 1.6, user: app.user.name },
    { title: 'none', variants: [own(none), ...peers.none], atMost: 0.15, user: undefined },
    {
      title: 'store',
      variants: [own(store), { name: 'the adapter call alone', run: adapter }, ...peers.stored],
      atMost: 0.5,
      user: app.user.name,
    },
  ]
  const effort = isQuick ? { warmUp: 400, rounds: 9, slice: 25 } : { warmUp: 3000, rounds: 25, slice: 80 }
  const rows: string[][] = []
  for (const { title, variants, atMost, user } of groups) {
    for (const { name, run } of variants) assert.equal(nameIn(await run()), user, `${name} has another user`)
    const unit = { name: '`decode`', run: decode }
    const [, ...timings] = await measure([unit, ...variants], 1, effort)
    rows.push(
      ...timings.map((timing, at) =>
        cells(at === 0 ? title : '', timing, at === 0 ? atMost : undefined, timings),
      ),
    )
    console.error(`measured: ${title}`)
  }
  const about =
    '`getSession(request)` with a session token, without a session cookie, and with a session in a store, for a Request ' +
    'that exists already. One decode is the time of `decode` for the same claims in the same round. Peers read the same ' +
    'user with their own function and cookie.'
  const head = ['session', 'what', 'µs', 'quartiles', 'decodes', 'CPU decodes', 'target']
  return [{ title: 'Reading a session', about, head, rows }]
}

function cells(title: string, timing: Timing, atMost: number | undefined, all: readonly Timing[]): string[] {
  const { name, median, low, high, ratio, cpuRatio } = timing
  const adapter = all.find((each) => each.name === 'the adapter call alone')?.ratio ?? 0
  const judged = atMost === undefined ? '' : `${ratio - adapter <= atMost ? 'met' : 'missed'} (${atMost})`
  return [
    title,
    name,
    show(median),
    `${show(low)} to ${show(high)}`,
    ratio.toFixed(2),
    cpuRatio.toFixed(2),
    judged,
  ]
}

await present(timeReaders)
