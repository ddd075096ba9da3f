import { expect, it } from 'vitest'
import { severityOfFailure } from '../../fuzz/run/assess.ts'
import { judgeWithoutGuard } from './without-guard.ts'

it('an id_token without a signature is a session if its token endpoint has no TLS, and hardening otherwise', async () => {
  const { judgements } = await judgeWithoutGuard('oauth/unsigned-by-registration', ['OI-32'])
  const broken = judgements.filter((judgement) => judgement.broken === 'OI-32')
  expect(broken.map(({ setup }) => setup).toSorted()).toEqual(['http on loopback', 'usual'])
  for (const judgement of broken) {
    const { setup, finding } = judgement
    // The smallest case is about alpha, unless there is too little time to find it.
    const [, provider] =
      /^an id_token from (alpha|beta) opens a session, although /.exec(finding?.says ?? '') ?? []
    const isExposed = setup === 'http on loopback' && provider === 'alpha'
    expect(provider).toBeDefined()
    expect(severityOfFailure(judgement)).toBe(isExposed ? 'session' : 'hardening')
  }
}, 60_000)
