import { describe, expect, it } from 'vitest'
import { encodeBase64url } from '../../src/crypto/bytes.ts'
import { createKeyring } from '../../src/token/keyring.ts'
import { type Target, targets } from './targets.ts'

/** Characters: within the limits of a URL, and three doublings later, within those of a body. */
const [short, long] = [8000, 64_000]
/**
 * Milliseconds. On a busy machine, shorter times say more about other programs. Scanning the rest of a long input at
 * each third character takes longer than this.
 */
const measurable = 20

/**
 * Long inputs that repeat one piece of the syntax: alone, after a valid input, before a valid input, and between two
 * valid inputs.
 */
function* craft({ seeds: [seed = ''], words }: Target): Generator<(size: number) => string> {
  for (const word of words) {
    const fill = (size: number) => word.repeat(Math.ceil(size / word.length)).slice(0, size)
    yield fill
    yield (size) => seed + fill(size)
    yield (size) => fill(size) + seed
    yield (size) => seed + fill(size) + seed
  }
}

async function measure(run: Target['run'], input: string, times: number): Promise<number> {
  const start = performance.now()
  for (let count = 0; count < times; count++) await run(input)
  return performance.now() - start
}

/**
 * The growth of the time for each doubling. As many characters are parsed in short inputs as in a long one, so that
 * other programs interrupt both. Measured again while the growth looks too high.
 */
async function growth(run: Target['run'], input: (size: number) => string): Promise<number> {
  const best = { short: Infinity, long: Infinity }
  const times = long / short
  const found = () => 2 * Math.cbrt(best.long / best.short)
  for (let attempt = 0; attempt < 20; attempt++) {
    best.long = Math.min(best.long, await measure(run, input(long), 1))
    if (best.long < measurable) return 1
    best.short = Math.min(best.short, await measure(run, input(short), times))
    if (found() < 3) break
  }
  return found()
}

describe('a parser', () => {
  it.each(Object.entries(targets))('LM-04 for %s takes no more than linear time', async (_, target) => {
    for (const input of craft(target)) expect(await growth(target.run, input), input(60)).toBeLessThan(3)
  })

  it('LM-04 for tokens neither derives keys nor decompresses data that a token asks for', async () => {
    const keys = createKeyring(['a secret that is long enough for this test'], {
      randomBytes: (length) => new Uint8Array(length),
    })
    for (const header of [
      { alg: 'PBES2-HS256+A128KW', enc: 'A256GCM', p2s: 'AAAAAAAAAAAAAAAA', p2c: 2 ** 31 - 1 },
      { alg: 'dir', enc: 'A256GCM', zip: 'DEF' },
    ]) {
      const start = encodeBase64url(new TextEncoder().encode(JSON.stringify(header)))
      const token = `${start}.AAAA.AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA`
      const opened = await keys.open(token, { salt: 'x', now: 0 })
      expect(opened).toHaveProperty('refused')
    }
  })
})
