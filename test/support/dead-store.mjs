/** A preload that gives an adapter to the site of an example, also in its built form. Every call of it fails. */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const fail = () => Promise.reject(new Error('connect ECONNREFUSED'))
const deadStore = Object.fromEntries(
  [
    'createUser',
    'getUser',
    'getUserByEmail',
    'getUserByAccount',
    'linkAccount',
    'createSession',
    'getSessionAndUser',
    'updateSession',
    'deleteSession',
  ].map((name) => [name, fail]),
)
Reflect.set(globalThis, 'deadStore', deadStore)

/** The start of the list of providers. Bundlers keep the names of options. */
const providers = /\bproviders:\s*\[(?=\s*(?:GitHub\]|\{\s*id:\s*["'`]demo))/

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.startsWith('file:') || loaded.format === 'wasm' || loaded.format === 'builtin') return loaded
    const given = loaded.source ?? readFileSync(new URL(url))
    const source = typeof given === 'string' ? given : new TextDecoder().decode(given)
    if (!providers.test(source)) return loaded
    return { ...loaded, source: source.replace(providers, 'adapter: globalThis.deadStore, $&') }
  },
})
