import { installClock } from '../world/clock.ts'
import { installRandomness } from '../world/random.ts'
import type { Ground } from '../targets/library.ts'

/**
 * Takes control of this thread's time, randomness and network. Call it before you load a target.
 *
 * @param note receives the values that are drawn from the random generator
 */
export function prepareGround(note?: (drawn: Uint8Array | string) => void): Ground {
  const clock = installClock()
  const { reseed } = installRandomness(note)
  let send: typeof fetch = () => Promise.reject(new TypeError('fetch failed'))
  globalThis.fetch = (input, init) => send(input, init)
  let set: readonly string[] = []
  return {
    clock,
    reseed,
    route: (next) => void (send = next),
    setVariables(variables) {
      for (const name of set) delete process.env[name]
      set = Object.keys(variables)
      Object.assign(process.env, variables)
    },
  }
}
