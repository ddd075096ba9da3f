import { loadJose } from '../crypto/load-jose.ts'
import type { Engine, Opener } from './engine.ts'

/** The engine on WebCrypto, through jose, for runtimes without `node:crypto`. */
export const joseEngine: Engine = {
  deriveBits: deriveBitsWithWebCrypto,
  digest: async (hash, data) => new Uint8Array(await crypto.subtle.digest(hash, new Uint8Array(data))),
  createSealer: (key, header) => async (plaintext, iv) => {
    const { CompactEncrypt } = await loadJose()
    return new CompactEncrypt(new TextEncoder().encode(plaintext))
      .setProtectedHeader({ ...header })
      .setInitializationVector(iv)
      .encrypt(key)
  },
  createOpener: createJoseOpener,
}

async function deriveBitsWithWebCrypto(...[secret, salt, info, length]: Parameters<Engine['deriveBits']>) {
  const key = await crypto.subtle.importKey('raw', new Uint8Array(secret), 'HKDF', false, ['deriveBits'])
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(salt), info: new Uint8Array(info) }
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, length * 8))
}

function createJoseOpener(...[key, encryption]: Parameters<Engine['createOpener']>): Opener {
  const options = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: [encryption] }
  return async ({ token }) => {
    const { compactDecrypt } = await loadJose()
    try {
      return (await compactDecrypt(token, key, options)).plaintext
    } catch {
      return undefined
    }
  }
}
