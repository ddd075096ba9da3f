import { whenReady } from '../crypto/maybe-promise.ts'
import { findNodeBuffer, findNodeCrypto, type NodeCrypto } from '../crypto/node-crypto.ts'
import { once } from '../crypto/once.ts'
import { parseCompact } from './compact.ts'
import { keysOf } from './derive-keys.ts'
import type { Engine } from './engine.ts'
import { joseEngine } from './jose-engine.ts'
import { createNodeEngine } from './node-engine.ts'

/** The engine of this runtime, chosen once. */
export const runtimeEngine: () => Engine = once(() => chooseEngine(findNodeCrypto()))

/** `node:crypto` where it works: some edge runtimes have one whose functions throw. */
export function chooseEngine(node: NodeCrypto | undefined): Engine {
  const buffer = findNodeBuffer()
  if (!node || !buffer) return joseEngine
  const engine = createNodeEngine(node, buffer)
  return works(engine) ? engine : joseEngine
}

/** Does it make and open a token, and that at once? */
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
