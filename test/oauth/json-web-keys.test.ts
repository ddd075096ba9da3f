import { describe, expect, it } from 'vitest'
import { verifySignature } from '../../src/oauth/id-token.ts'
import { loadKeys } from '../../fuzz/world/idp/keys.ts'
import { signToken } from '../../fuzz/world/idp/sign-token.ts'
import { admitted, createStage, ending, issuer, resolve, type Stage, signIn } from './stage.ts'

const asked = ({ idp }: Stage) => idp.requestsTo('jwks').length
const minute = 60_000

describe('the issuer’s keys', () => {
  it('DEC-09b LM-06 DEC-33e are fetched once in ten minutes, whatever the number of sign-ins and configurations', async () => {
    const stage = createStage()
    for (let i = 0; i < 5; i++) admitted(await signIn({ ...stage, provider: resolve({}) }))
    expect(asked(stage)).toBe(1)
    stage.context.platform.advance(10 * minute - 1)
    admitted(await signIn(stage))
    expect(asked(stage)).toBe(1)
    stage.context.platform.advance(1)
    admitted(await signIn(stage))
    expect(asked(stage)).toBe(2)
  })

  it('OI-11 DEC-09b are fetched again for an unknown key, right after a rotation', async () => {
    const stage = createStage()
    admitted(await signIn(stage))
    stage.idp.rotate()
    admitted(await signIn(stage))
    admitted(await signIn(stage))
    expect(asked(stage)).toBe(2)
  })

  it('OI-33 verify nothing ten minutes after the issuer has withdrawn them', async () => {
    const stage = createStage()
    admitted(await signIn(stage))
    stage.idp.rotate()
    stage.idp.misbehave('key-withdrawn')
    admitted(await signIn(stage))
    stage.context.platform.advance(10 * minute)
    expect(ending(await signIn(stage))).toBe('signature: signature-invalid')
  })

  it('OI-11 are not fetched without bound for unknown keys', async () => {
    const stage = createStage()
    admitted(await signIn(stage))
    stage.idp.misbehave('kid-unknown')
    for (let i = 0; i < 5; i++) expect(ending(await signIn(stage))).toBe('signature: signature-invalid')
    expect(asked(stage)).toBe(2)
    stage.context.platform.advance(30_000)
    for (let i = 0; i < 5; i++) await signIn(stage)
    expect(asked(stage)).toBe(3)
  })

  it('OI-11 are fetched again once for concurrent tokens after a rotation', async () => {
    const stage = createStage()
    admitted(await signIn(stage))
    stage.idp.rotate()
    const idToken = await signToken({ sub: 'ann' }, (await loadKeys()).next.rsa, '', new Set())
    const server = { issuer, jwks_uri: `${issuer}/jwks` }
    const verify = () => verifySignature(idToken, undefined, stage.provider, server, stage.context)
    const answers = await Promise.all(Array.from({ length: 5 }, verify))
    expect(answers.every((failed) => failed === undefined)).toBe(true)
    expect(asked(stage)).toBe(2)
  })

  it('OI-11 keep the old keys when fetching new ones fails', async () => {
    const stage = createStage()
    admitted(await signIn(stage))
    stage.idp.misbehave('kid-unknown', 'jwks:500')
    expect(ending(await signIn(stage))).toBe('signature: keys-refused')
    stage.idp.misbehave('jwks:500')
    expect(ending(await signIn(stage))).toBe('admitted')
  })

  it('DEC-10g DEC-09b are requested once in five seconds while fetching them fails', async () => {
    const stage = createStage({ idp: { misbehave: ['jwks:500'] } })
    for (let i = 0; i < 5; i++) expect(ending(await signIn(stage))).toBe('signature: keys-refused')
    expect(asked(stage)).toBe(1)
    stage.idp.misbehave()
    stage.context.platform.advance(5000)
    expect(ending(await signIn(stage))).toBe('admitted')
    expect(asked(stage)).toBe(2)
  })

  it('DEC-10g OI-11 are fetched again at most once in five seconds after a failure', async () => {
    const stage = createStage()
    admitted(await signIn(stage))
    stage.idp.misbehave('kid-unknown', 'jwks:500')
    for (let i = 0; i < 5; i++) await signIn(stage)
    expect(asked(stage)).toBe(2)
    stage.context.platform.advance(5000)
    await signIn(stage)
    expect(asked(stage)).toBe(3)
    stage.idp.misbehave()
    expect(ending(await signIn(stage))).toBe('admitted')
  })

  it('DEC-09a PRV-011 DEC-10a come from jwks_endpoint rather than from the metadata', async () => {
    const stage = createStage({
      idp: { metadata: { jwks_uri: `${issuer}/elsewhere` } },
      provider: { jwks_endpoint: `${issuer}/jwks` },
    })
    expect(ending(await signIn(stage))).toBe('admitted')
  })

  it('DEC-09a OI-07 are discovered if the configuration has every endpoint but theirs', async () => {
    const provider = {
      authorization: `${issuer}/authorize`,
      token: `${issuer}/token`,
      userinfo: `${issuer}/userinfo`,
    }
    const stage = createStage({ provider })
    admitted(await signIn(stage))
    expect(stage.idp.requestsTo('discovery').length).toBe(1)
    expect(asked(stage)).toBe(1)
  })

  it('OI-07 are required: without any, no token is accepted', async () => {
    const stage = createStage({ idp: { metadata: { jwks_uri: undefined } } })
    expect(ending(await signIn(stage))).toBe('signature: misconfigured')
  })

  it('OI-16 are not fetched over plain http', async () => {
    const stage = createStage({ idp: { metadata: { jwks_uri: 'http://idp.example/jwks' } } })
    expect(ending(await signIn(stage))).toBe('signature: insecure-url')
    expect(asked(stage)).toBe(0)
  })

  it('CC-11 are cached separately for each fetch and each scheme rule', async () => {
    const stage = createStage()
    admitted(await signIn(stage))
    admitted(await signIn({ ...stage, provider: resolve({ allowInsecureRequests: true }) }))
    expect(asked(stage)).toBe(2)
    admitted(await signIn({ ...stage, provider: resolve({}, { fetch: (inner) => inner }) }))
    expect(asked(stage)).toBe(3)
  })
})
