import { expect, it } from 'vitest'
import { severityOfFailure } from '../../fuzz/run/assess.ts'
import { judgeWithoutGuard } from './without-guard.ts'

it('an id_token without a signature is hardening if its token endpoint has TLS or is on the same machine', async () => {
  const { judgements } = await judgeWithoutGuard('oauth/unsigned-by-registration', ['OI-32'])
  const broken = judgements.filter((judgement) => judgement.broken === 'OI-32')
  expect(broken.map(({ setup }) => setup).toSorted()).toEqual(['http on loopback', 'usual'])
  for (const judgement of broken) {
    expect(judgement.finding?.says).toMatch(/^an id_token from (?:alpha|beta) opens a session, although /)
    expect(severityOfFailure(judgement)).toBe('hardening')
  }
}, 60_000)

it('many requests to a provider, which stopped nothing, are hardening', async () => {
  const { judgements } = await judgeWithoutGuard('hunt/pending-discovery-not-shared', ['LM-06'])
  const broken = judgements.filter((judgement) => judgement.broken === 'LM-06')
  expect(broken.length).toBeGreaterThan(0)
  for (const judgement of broken) expect(severityOfFailure(judgement)).toBe('hardening')
}, 60_000)
