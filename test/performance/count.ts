/**
 * Prints, as JSON, the countable costs of each kind of request, which do not depend on the machine. Runs in a separate
 * process on the unmodified sources, since a test runner creates promises and loads modules as well.
 */
import { createHook } from 'node:async_hooks'
import { registerHooks } from 'node:module'
import type { Adapter } from '../../src/types/adapter.ts'

const loaded: string[] = []
registerHooks({
  load(url, context, next) {
    loaded.push(url)
    return next(url, context)
  },
})

const { ours, openContestant } = await import('../bench/contestants.ts')
const { signInByOAuth } = await import('../bench/browser.ts')
const { answerAsProvider, configure, provider } = await import('../bench/application.ts')
const { memoryAdapter } = await import('../../src/adapters/memory.ts')

const none = {
  jobs: 0,
  draws: 0,
  promises: 0,
  timers: 0,
  store: 0,
  fetches: 0,
  seals: 0,
  opens: 0,
  urls: 0,
  responses: 0,
  expiries: 0,
  elements: 0,
}
const counts = { ...none }
type Counts = typeof counts

/** Node's names: all of its thread-pool cryptography ends in REQUEST. */
const others = ['HTTPINCOMINGMESSAGE', 'HTTPCLIENTREQUEST', 'GETADDRINFOREQWRAP', 'FSREQCALLBACK']
const hook = createHook({
  init(_id, type) {
    if (type === 'PROMISE') counts.promises++
    else if (type === 'Timeout') counts.timers++
    // Counts random bytes as well, although getRandomValues is synchronous.
    else if (type === 'RANDOMBYTESREQUEST') counts.draws++
    else if (type.endsWith('REQUEST') && !others.includes(type)) counts.jobs++
  },
})

/** Counts the calls of a function of the runtime. */
function watchCalls<Name extends string>(owner: Record<Name, unknown>, name: Name, what: keyof Counts): void {
  const count = () => void counts[what]++
  owner[name] = new Proxy(owner[name] as new (...args: unknown[]) => object, {
    apply: (target, self, args) => (count(), Reflect.apply(target, self, args)),
    construct: (target, args, made) => (count(), Reflect.construct(target, args, made)),
  })
}

const nodeCrypto = process.getBuiltinModule('node:crypto')
watchCalls(nodeCrypto, 'createCipheriv', 'seals')
watchCalls(nodeCrypto, 'createDecipheriv', 'opens')
watchCalls(globalThis, 'URL', 'urls')
watchCalls(globalThis, 'Response', 'responses')
watchCalls(Date.prototype, 'toUTCString', 'expiries')

globalThis.fetch = async (input: RequestInfo | URL) => {
  counts.fetches++
  return answerAsProvider(input)
}

function watch<Store extends Adapter>(adapter: Store): Store {
  return new Proxy(adapter, {
    get(target, name: keyof Store & string) {
      const operation: unknown = target[name]
      if (typeof operation !== 'function') return operation
      return (...args: unknown[]): unknown => {
        counts.store++
        return operation.apply(target, args)
      }
    },
  })
}

const { jobs } = await openContestant(ours, watch)
await jobs['session (JWT)']?.()
const session = [...loaded]
const { openOwnFlows } = await import('../bench/own-flows.ts')
const { openReaders } = await import('../bench/readers.ts')
const readers = await openReaders(watch)
const preact = await import('preact')
preact.options.vnode = () => void counts.elements++

const adapter = watch(memoryAdapter())
const stored = { ...configure(), providers: configure().providers.slice(0, 1), adapter }
const requests: Readonly<Record<string, () => unknown>> = {
  ...jobs,
  ...(await openOwnFlows(watch)),
  'getSession (JWT)': readers.JWT,
  'getSession (none)': readers.none,
  'getSession (store)': readers.store,
  'OAuth sign-in (database)': () => signInByOAuth((request) => ours.Auth(request, stored)),
  // Exactly one of each.
  'self-test': async () => {
    crypto.getRandomValues(new Uint8Array(1))
    clearTimeout(setTimeout(() => {}, 1000))
    nodeCrypto.createCipheriv('aes-256-cbc', new Uint8Array(32), new Uint8Array(16))
    nodeCrypto.createDecipheriv('aes-256-cbc', new Uint8Array(32), new Uint8Array(16))
    void new URL('https://app.test')
    void new Response(null)
    new Date().toUTCString()
    await adapter.getUser('nobody')
    preact.h('p', {})
    await Promise.all([fetch(provider.token), crypto.subtle.digest('SHA-256', new Uint8Array(1))])
  },
}

/** Leaves out the first run, which loads modules and signs users up. */
async function count(run: () => unknown): Promise<Counts> {
  await run()
  await run()
  Object.assign(counts, none)
  hook.enable()
  const done = run()
  if (done instanceof Promise) await done
  hook.disable()
  return { ...counts }
}

const table: Record<string, Counts> = {}
for (const [name, run] of Object.entries(requests)) table[name] = await count(run)

const own = session.filter((url) => /\/(?:src|machines|spec)\/[^?]*\.ts$/.test(url))
const packages = new Set(
  session.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []),
)
console.log(
  JSON.stringify({ table, modules: { own: own.length, packages: [...packages].toSorted() } }, null, 2),
)
