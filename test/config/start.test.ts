import { afterEach, describe, expect, it, vi } from 'vitest'
import { createAuth } from '../../src/instance/create-auth.ts'
import { createEdgeAuth } from '../../src/instance/create-edge-auth.ts'
import { SolidAuth } from '../../src/integrations/solid-start.ts'
import { platform } from '../../src/types/symbols.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import { oauthProvider, oidcProvider, secret } from './derive.ts'

const incomplete = { ...oidcProvider, clientId: undefined }

/** A configuration with its own clock, because each clock has its own list of logged messages. */
function record(config: object) {
  const errors: string[] = []
  const logger = { error: ({ name }: Error) => void errors.push(name), warn() {} }
  const own = { providers: [oauthProvider], secret, trustHost: true, logger, [platform]: { now: () => 0 } }
  return { errors, config: { ...own, ...config } as AuthConfig }
}

/** Waits for the messages that are logged at the start, in microtasks. */
const start = () => new Promise((resolve) => setImmediate(resolve))
const ask = () => new Request('https://app.test/auth/session')

describe('at the start', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it.each([
    ['a missing secret', { secret: '' }, 'MissingSecret'],
    ['an untrusted host', { trustHost: false }, 'UntrustedHost'],
    ['no complete provider', { providers: [incomplete] }, 'MissingClientId'],
    ['a rule that nothing calls', { callbacks: { authorized: () => false } }, 'InvalidConfig'],
    ['a provider that is left out', { providers: [oauthProvider, incomplete] }, 'MissingClientId'],
  ])('OPT-034 %s is logged once', async (_, options, expected) => {
    const { errors, config } = record(options)
    createAuth(config)
    createAuth(config)
    createEdgeAuth(config)
    expect(errors).toEqual([])
    await start()
    expect(errors).toEqual([expected])
  })

  it('OPT-034 SolidStart logs a fault, too', async () => {
    const { errors, config } = record({ secret: '' })
    SolidAuth(config)
    SolidAuth(config)
    await start()
    expect(errors).toEqual(['MissingSecret'])
  })

  it('OPT-034 a fault that a request has logged is not logged again', async () => {
    const { errors, config } = record({ secret: '' })
    await createAuth(config).handler(ask())
    await start()
    expect(errors).toEqual(['MissingSecret'])
  })

  it('OPT-034 a valid configuration logs nothing', async () => {
    const { errors, config } = record({})
    createAuth(config)
    await start()
    expect(errors).toEqual([])
  })

  it('OPT-034 variables that are set before the first request take effect', async () => {
    vi.stubEnv('AUTH_SECRET', '')
    const { errors, config } = record({ secret: undefined })
    const { handler } = createAuth(config)
    await start()
    vi.stubEnv('AUTH_SECRET', secret)
    expect((await handler(ask())).status).toBe(200)
    expect(errors).toEqual(['MissingSecret'])
  })

  it('OPT-034 a module that sets a variable after createAuth is in time', async () => {
    vi.stubEnv('AUTH_SECRET', '')
    const { errors, config } = record({ secret: undefined })
    createAuth(config)
    vi.stubEnv('AUTH_SECRET', secret)
    await start()
    expect(errors).toEqual([])
  })

  it.each([
    ['Next.js', 'NEXT_PHASE', 'phase-production-build'],
    ['SvelteKit', 'SVELTEKIT_FORK', 'true'],
  ])('OPT-034 nothing is logged while %s builds', async (_, variable, value) => {
    vi.stubEnv(variable, value)
    const { errors, config } = record({ secret: '' })
    createAuth(config)
    await start()
    expect(errors).toEqual([])
  })

  it('OPT-034 an option that throws does not end the process', async () => {
    const session = Object.defineProperty({}, 'strategy', {
      enumerable: true,
      get() {
        throw new Error('not yet')
      },
    })
    const { errors, config } = record({ session })
    const thrown: Error[] = []
    const note = (error: Error) => void thrown.push(error)
    process.prependListener('uncaughtException', note)
    createAuth(config)
    await start()
    process.off('uncaughtException', note)
    expect([errors, thrown]).toEqual([[], []])
  })
})
