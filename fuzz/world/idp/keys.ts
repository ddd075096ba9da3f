import { getEnvironmentData } from 'node:worker_threads'
import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { once } from 'authmachine/instrumented'
import type { Fault } from './faults.ts'

/** A signing key of the provider, with its public part. */
export interface SigningKey {
  readonly kid: string
  readonly alg: 'RS256' | 'ES256'
  readonly privateKey: CryptoKey
  readonly publicJwk: JWK
}

/** The name of the environment data with which threads share the keys of their process. */
export const keysName = 'authmachine:idp-keys'

/** A pair to start with, a pair to rotate to, a key that is never published, and the key of the application. */
const wanted = [
  ['RS256', 'rsa-1'],
  ['ES256', 'ec-1'],
  ['RS256', 'rsa-2'],
  ['ES256', 'ec-2'],
  ['RS256', 'foreign'],
  ['ES256', 'client'],
] as const

async function createKey(alg: SigningKey['alg'], name: string): Promise<SigningKey & { name: string }> {
  const held = getEnvironmentData(keysName)
  const given = typeof held === 'string' ? (JSON.parse(held) as Record<string, JWK>)[name] : undefined
  if (given) {
    const { kty, n, e, crv, x, y } = given
    const shown = kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y }
    const privateKey = (await importJWK(given, alg, { extractable: true })) as CryptoKey
    const kid = kidOf(name, given)
    return { name, kid, alg, privateKey, publicJwk: { ...shown, kid, alg, use: 'sig' } }
  }
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const shown = await exportJWK(publicKey)
  const kid = kidOf(name, shown)
  return { name, kid, alg, privateKey, publicJwk: { ...shown, kid, alg, use: 'sig' } }
}

/** Returns another id for another key, so that an application that keeps keys of an earlier run fetches the new ones. */
function kidOf(name: string, { n, x }: JWK): string {
  return `${name}-${(n ?? x)?.slice(0, 8)}`
}

const makeAll = once(() => Promise.all(wanted.map(([alg, kid]) => createKey(alg, kid))))

/** Returns the keys of this process, which the first call generates. */
export const loadKeys = once(async () => {
  const all = await makeAll()
  const named = (wantedName: string): SigningKey => {
    const key = all.find(({ name }) => name === wantedName)
    if (!key) throw new Error(`There is no key ${wantedName}`)
    return key
  }
  return {
    first: { rsa: named('rsa-1'), ec: named('ec-1') },
    next: { rsa: named('rsa-2'), ec: named('ec-2') },
    foreign: named('foreign'),
    client: named('client'),
  }
})

/** Returns the key set of the provider. */
export async function publishKeys(
  generation: 'first' | 'next',
  faults: ReadonlySet<Fault>,
): Promise<{ readonly keys: readonly JWK[] }> {
  const { rsa, ec } = (await loadKeys())[generation]
  if (!faults.has('kid-absent')) return { keys: [rsa.publicJwk, ec.publicJwk] }
  // With several keys, a token must name one (OpenID Connect Core 10.1).
  const { kid: _, ...only } = rsa.publicJwk
  return { keys: [only] }
}

/** Serializes the keys for the threads of this process. */
export async function exportKeys(): Promise<string> {
  const entries = (await makeAll()).map(
    async ({ name, privateKey }) => [name, await exportJWK(privateKey)] as const,
  )
  return JSON.stringify(Object.fromEntries(await Promise.all(entries)))
}
