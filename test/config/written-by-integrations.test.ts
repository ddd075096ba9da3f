import { describe, expect, it } from 'vitest'
import { encode } from '../../src/jwt.ts'
import { Auth, raw, setEnvDefaults, skipCSRFCheck, type AuthConfig } from '../../src/index.ts'
import GitHub from '../../src/providers/github.ts'
import { platform } from '../../src/types/symbols.ts'
import type { Provider } from '../../src/types/provider.ts'

const origin = 'https://app.test'

function configure(warnings: string[] = [], providers: Provider[] = []): AuthConfig {
  const logger = { error: () => undefined, warn: (code: string) => void warnings.push(code) }
  // Warnings are remembered per clock.
  const config: AuthConfig = { providers, logger, [platform]: { now: () => Date.now() } }
  // Short, so that it causes a warning.
  setEnvDefaults({ AUTH_SECRET: 'short', AUTH_TRUST_HOST: 'true' }, config)
  return config
}

async function ask(config: AuthConfig, path: string): Promise<Response> {
  return Auth(new Request(`${origin}${path}`), config)
}

describe('a configuration that an integration changes after its first use', () => {
  it('ECO-001 DEC-26b serves the new base path only', async () => {
    const warnings: string[] = []
    const config = configure(warnings)
    expect((await ask(config, '/auth/session')).status).toBe(200)
    expect(warnings).toEqual(['weak-secret'])
    config.basePath = '/api/auth'
    expect((await ask(config, '/api/auth/session')).status).toBe(200)
    expect((await ask(config, '/auth/session')).status).not.toBe(200)
    expect(warnings.filter((code) => code === 'weak-secret')).toHaveLength(1)
  })

  it('ECO-001 uses the new secret', async () => {
    const config = configure()
    const cookie = csrfCookie(await ask(config, '/auth/csrf'))
    const again = () => Auth(new Request(`${origin}/auth/csrf`, { headers: { cookie } }), config)
    expect(csrfCookie(await again())).toBe('')
    config.secret = 'another secret of this configuration'
    expect(csrfCookie(await again())).not.toBe('')
  })

  it('ECO-001 RO-01 no longer accepts a secret that was removed from its list', async () => {
    const lists: readonly ((config: AuthConfig) => string[])[] = [
      (config) =>
        (config.secret = ['the newer secret of two in a list', 'the older secret of two in a list']),
      (config) => {
        const secret = ['the newer secret of two in a list', 'the older secret of two in a list']
        config.jwt = { secret }
        return secret
      },
    ]
    for (const put of lists) {
      const config = configure()
      const list = put(config)
      config.session = { strategy: 'jwt' }
      const token = await encode({
        token: { name: 'Ada' },
        secret: list[1] ?? '',
        salt: '__Secure-authjs.session-token',
      })
      const read = async () => {
        const headers = { cookie: `__Secure-authjs.session-token=${token}` }
        return (await Auth(new Request(`${origin}/auth/session`, { headers }), config)).json()
      }
      expect(await read()).toMatchObject({ user: { name: 'Ada' } })
      list.pop()
      expect(await read()).toBeNull()
    }
  })

  it('ECO-001 applies a changed host trust', async () => {
    const config = configure()
    expect((await ask(config, '/auth/session')).status).toBe(200)
    config.trustHost = false
    expect((await ask(config, '/auth/session')).status).toBe(500)
    config.trustHost = true
    expect((await ask(config, '/auth/session')).status).toBe(200)
  })

  it('ECO-001 no longer sends a CSRF token', async () => {
    const config = configure()
    expect((await ask(config, '/auth/csrf')).status).toBe(200)
    config.skipCSRFCheck = skipCSRFCheck
    expect((await ask(config, '/auth/csrf')).status).toBe(404)
  })

  it('ECO-001 returns data in raw mode', async () => {
    const config = configure()
    expect(await ask(config, '/auth/providers')).toBeInstanceOf(Response)
    config.raw = raw
    expect(await ask(config, '/auth/providers')).not.toBeInstanceOf(Response)
  })
})

describe('a configuration that an integration copies for each call', () => {
  it('ECO-004 does not repeat warnings', async () => {
    const warnings: string[] = []
    const config = configure(warnings)
    await ask({ ...config }, '/auth/session')
    await ask({ ...config }, '/auth/session')
    await ask({ ...config, skipCSRFCheck }, '/auth/session')
    await ask({ ...config, skipCSRFCheck }, '/auth/session')
    expect(warnings).toEqual(['weak-secret', 'csrf-disabled'])
    const others = [GitHub({ clientId: 'client' })]
    await ask({ ...config, providers: others }, '/auth/session')
    expect(warnings).toEqual(['weak-secret', 'csrf-disabled', 'weak-secret'])
    await ask({ ...config, providers: [...others] }, '/auth/session')
    expect(warnings).toEqual(['weak-secret', 'csrf-disabled', 'weak-secret'])
    await ask({ ...config, basePath: '/login' }, '/login/session')
    expect(warnings).toEqual(['weak-secret', 'csrf-disabled', 'weak-secret', 'weak-secret'])
  })
})

describe('a configuration that is created for each request', () => {
  it('ECO-004 warns once, although the environment creates a new list of providers each time', async () => {
    const warnings: string[] = []
    const given = configure(warnings, [GitHub])
    for (let request = 0; request < 3; request++) {
      const config = { ...given, basePath: undefined }
      setEnvDefaults({ AUTH_GITHUB_ID: 'id', AUTH_TRUST_HOST: 'true' }, config)
      await ask(config, '/auth/session')
    }
    expect(warnings).toEqual(['weak-secret'])
  })
})

/** Returns the CSRF cookie of a response as a request cookie. */
function csrfCookie(response: Response): string {
  const line = response.headers.getSetCookie().find((each) => each.includes('csrf-token'))
  return line?.split(';')[0] ?? ''
}
