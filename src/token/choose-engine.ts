import { loadJose } from '../crypto/load-jose.ts'
import { findNodeBuffer, findNodeCrypto, type NodeCrypto } from '../crypto/node-crypto.ts'
import { whenReady } from '../async/maybe-promise.ts'
import { once } from '../async/once.ts'
import { parseCompact } from './compact.ts'
import { keysOf } from './derive-keys.ts'
import type { Engine, Opener } from './engine.ts'
import { createNodeEngine } from './node-engine.ts'

/**
 * The engine on WebCrypto and jose, for runtimes without `node:crypto`. It keeps the bytes of its keys, so each call gets a
 * copy: applications can replace the functions of WebCrypto.
 */
export const joseEngine: Engine = {
  deriveBits: deriveBitsWithWebCrypto,
  digest: async (hash, data) => new Uint8Array(await crypto.subtle.digest(hash, new Uint8Array(data))),
  createSealer: (key, header) => async (plaintext, iv) => {
    const { CompactEncrypt } = await loadJose()
    return new CompactEncrypt(new TextEncoder().encode(plaintext))
      .setProtectedHeader({ ...header })
      .setInitializationVector(iv)
      .encrypt(new Uint8Array(key))
  },
  createOpener: createJoseOpener,
}

async function deriveBitsWithWebCrypto(...[secret, salt, info, length]: Parameters<Engine['deriveBits']>) {
  const key = await crypto.subtle.importKey('raw', new Uint8Array(secret), 'HKDF', false, ['deriveBits'])
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(salt), info: new Uint8Array(info) }
  // A copy, because a function that replaces the built-in one could keep its result.
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, length * 8)).slice()
}

function createJoseOpener(...[key, encryption]: Parameters<Engine['createOpener']>): Opener {
  return async ({ token }) => {
    const { compactDecrypt } = await loadJose()
    const options = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: [encryption] }
    try {
      return (await compactDecrypt(token, new Uint8Array(key), options)).plaintext
    } catch {
      return undefined
    }
  }
}

/** Returns the engine for this runtime. Chooses it once. */
export const runtimeEngine: () => Engine = once(() => chooseEngine(findNodeCrypto()))

/** Uses `node:crypto` if it works. In some edge runtimes its functions exist and throw. */
export function chooseEngine(node: NodeCrypto | undefined): Engine {
  const buffer = findNodeBuffer()
  if (!node || !buffer) return joseEngine
  const engine = createNodeEngine(node, buffer)
  return works(engine) ? engine : joseEngine
}

/** Returns whether the engine can encrypt and decrypt a token synchronously. */
function works(engine: Engine): boolean {
  const { getSealer, getOpener } = keysOf(engine, 'probe')
  try {
    const token = whenReady(getSealer(''), (seal) => seal('{}', new Uint8Array(16)))
    const jwe = typeof token === 'string' ? parseCompact(token) : undefined
    const opened = jwe && whenReady(getOpener('', jwe.encryption), (key) => key.open(jwe))
    return opened instanceof Uint8Array
  } catch {
    return false
  }
}
