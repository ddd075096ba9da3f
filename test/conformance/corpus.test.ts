import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { runConformance } from '../../fuzz/cli/conformance.ts'
import { readOptions } from '../../fuzz/cli/options.ts'
import { addReplayed, readCorpus, renewCorpus, replayJobs } from '../../fuzz/run/corpus.ts'
import { readToken, writeToken } from '../../fuzz/run/replay.ts'
import { failure, judgement } from './support.ts'

const place = (property: string) => ({ property, setup: 'database', seed: 1, path: '3:0' })
const failing = (property: string) => {
  const { finding } = failure('TX-01')
  return failure('TX-01', {
    property,
    ...(finding && { finding: { ...finding, replay: writeToken(place(property)) } }),
  })
}
const [a, b] = [writeToken(place('a')), writeToken(place('b'))]

describe('a corpus of failures', () => {
  it('is replayed for the selected properties, and kept for the others', () => {
    const jobs = replayJobs([a, b], [{ property: 'a', setup: 'database' }])
    expect(jobs).toMatchObject([place('a')])
    expect(renewCorpus([a, b], [judgement('PASS', ['TX-01'], { property: 'a' })])).toEqual([b])
  })

  it('receives a token for each failure, once', () => {
    expect(renewCorpus([a], [failing('a'), failing('b')])).toEqual([a, b])
  })

  it('adds failures that the campaign missed, and no PASS', () => {
    const passed = judgement('PASS', ['TX-01'], { property: 'a' })
    const campaign = [judgement('PASS', ['TX-01'], { property: 'b' }), failing('c')]
    expect(addReplayed(campaign, [passed, failing('b'), failing('c')])).toEqual([...campaign, failing('b')])
  })

  it.each(['[]', 'null', '{"a": "x"}', '{"a": [1]}'])('is rejected if it is malformed: %s', (text) => {
    expect(() => readCorpus(text)).toThrow('Expected the corpus to be an object')
  })

  it('keeps a failure in its file while it fails, and removes it once it passes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'corpus-'))
    const file = join(folder, 'deep', 'corpus.json')
    const unbound = fileURLToPath(new URL('unbound.ts', import.meta.url))
    const run = (word: string) =>
      runConformance(
        readOptions([word, '--only', 'TX-05', '--seed', '1', '--corpus', file, '--threads', '2']),
      )
    try {
      expect(await run(unbound)).toBe(1)
      const first = readCorpus(await readFile(file, 'utf8'))
      const [name = ''] = Object.keys(first)
      expect(first[name]?.length).toBeGreaterThan(0)
      for (const token of first[name] ?? []) expect(readToken(token).path).not.toBe('')
      await writeFile(file, JSON.stringify({ ...first, ours: first[name] }))
      expect(await run('ours')).toBe(0)
      const second = readCorpus(await readFile(file, 'utf8'))
      expect(second).toEqual({ ...first, ours: [] })
    } finally {
      await rm(folder, { recursive: true })
    }
  }, 120_000)
})
