import { createHash } from 'node:crypto'

/** The random generator of a thread. */
export interface Randomness {
  readonly reseed: (seed: number) => void
}

/**
 * Replaces the random generator of this thread, so that cases are reproducible.
 *
 * @param note receives the drawn values: bytes, or the text of a UUID
 */
export function installRandomness(note: (drawn: Uint8Array | string) => void = () => {}): Randomness {
  let seed = 0
  let blocks = 0
  const nextBlock = () => createHash('sha256').update(`${seed} ${blocks++}`).digest()
  const fill = <T extends ArrayBufferView>(array: T): T => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
    for (let at = 0; at < bytes.length; at += 32) bytes.set(nextBlock().subarray(0, bytes.length - at), at)
    note(bytes)
    return array
  }
  const randomUuid = () => {
    const block = nextBlock()
    const hex = block.toString('hex')
    const variant = '89ab'[(block[31] ?? 0) % 4]
    const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
    note(uuid)
    return uuid
  }
  Object.defineProperty(crypto, 'randomUUID', { value: randomUuid, configurable: true })
  // A new function each time: code that buffers random bytes compares it, and discards its buffer.
  const install = () =>
    Object.defineProperty(crypto, 'getRandomValues', {
      value: <T extends ArrayBufferView>(array: T) => fill(array),
      configurable: true,
    })
  install()
  return {
    reseed(next) {
      seed = next
      blocks = 0
      install()
    },
  }
}
