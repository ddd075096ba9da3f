import { expect, it } from 'vitest'
import { severityOfFailure } from '../../fuzz/run/assess.ts'
import { judgeWithoutGuard } from './without-guard.ts'

it('an id_token without a signature is a session if its token endpoint has no TLS, and hardening otherwise', async () => {
  const { judgements } = await judgeWithoutGuard('oauth/unsigned-by-registration', ['OI-32'])
  const broken = judgements.filter((judgement) => judgement.broken === 'OI-32')
  const severities = broken.map((judgement) => [judgement.setup, severityOfFailure(judgement)])
  expect(Object.fromEntries(severities)).toEqual({ usual: 'hardening', 'http on loopback': 'session' })
  for (const { finding } of broken)
    expect(finding?.says).toMatch(
      /^an id_token from alpha opens a session, although the .*(?:signature|“none”)/,
    )
}, 60_000)
