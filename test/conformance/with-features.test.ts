import { fileURLToPath } from 'node:url'
import { withFeatures } from 'authmachine-conformance/features'
import { describe, expect, it } from 'vitest'
import { terms } from '../../docs/examples/features/terms.ts'
import { checkConformance } from '../../fuzz/run/check-conformance.ts'
import { memoryAdapter } from '../../src/adapters/memory.ts'

const example = fileURLToPath(new URL('../../docs/examples/features/target.ts', import.meta.url))
const features = [terms({ version: '2026-11', url: '/terms' })]

describe('a target with features', () => {
  it('is attacked at its gates, and passes them in every property that signs in', async () => {
    const only = ['FT-01', 'FT-02', 'FT-03', 'SE-01', 'MD-02']
    const { invariants, judgements } = await checkConformance(example, { only, seed: 1 })
    const verdicts = Object.fromEntries(invariants.map(({ id, verdict }) => [id, verdict]))
    expect(verdicts).toMatchObject({ 'FT-01': 'PASS', 'FT-02': 'PASS', 'FT-03': 'PASS', 'SE-01': 'PASS' })
    const hops = judgements.flatMap((judged) => Object.keys(judged.hops ?? {}))
    expect(hops.some((hop) => hop.startsWith('terms: readingAnswer -(terms.accepted)->'))).toBe(true)
  }, 120_000)

  it('has them only in applications whose adapter has what they need', async () => {
    const target = withFeatures({ name: 'terms', features })
    const config = { secret: 'a secret that is long enough', trustHost: true, providers: [] }
    const statusWith = async (more: object) => {
      const handle = await target.open({ ...config, ...more })
      return (await handle(new Request('https://app.example/auth/terms'))).status
    }
    expect(await statusWith({})).toBe(404)
    expect(await statusWith({ adapter: { getUser: () => null }, session: { strategy: 'jwt' } })).toBe(404)
    expect(await statusWith({ adapter: memoryAdapter() })).toBe(302)
  })

  it('has gates only if it says how a person answers them', () => {
    expect(withFeatures({ name: 'terms', features }).capabilities).not.toContain('gate')
    const gates = { terms: () => ({ accept: 'yes' }) }
    expect(withFeatures({ name: 'terms', features, gates }).capabilities).toContain('gate')
  })
})
