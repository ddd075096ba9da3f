import { describe, expect, it } from 'vitest'
import { encode } from '../../src/jwt.ts'
import { Auth, raw, setEnvDefaults, skipCSRFCheck, type AuthConfig } from '../../src/index.ts'

const origin = 'https://app.test'

function configure(warnings: string[] = []): AuthConfig {
  const logger = { error: () => undefined, warn: (code: string) => void warnings.push(code) }
  const config: AuthConfig = { providers: [], logger }
  // Short, so that there is something to warn of.
  setEnvDefaults({ AUTH_SECRET: 'short', AUTH_TRUST_HOST: 'true' }, config)
  return config
}

async function ask(config: AuthConfig, path: string): Promise<Response> {
  return Auth(new Request(`${origin}${path}`), config)
}

describe('a configuration into which an integration writes after its first use', () => {
  it('ECO-001 DEC-26b has its routes under the new base path, and no more under the old one', async () => {
    const warnings: string[] = []
    const config = configure(warnings)
    expect((await ask(config, '/auth/session')).status).toBe(200)
    expect(warnings).toEqual(['weak-secret'])
    config.basePath = '/api/auth'
    expect((await ask(config, '/api/auth/session')).status).toBe(200)
    expect((await ask(config, '/auth/session')).status).not.toBe(200)
    expect(warnings.filter((code) => code === 'weak-secret')).toHaveLength(1)
  })

  it('ECO-001 has the new secret', async () => {
    const config = configure()
    const cookie = csrfCookie(await ask(config, '/auth/csrf'))
    const again = () => Auth(new Request(`${origin}/auth/csrf`, { headers: { cookie } }), config)
    expect(csrfCookie(await again())).toBe('')
    config.secret = 'another secret of this configuration'
    expect(csrfCookie(await again())).not.toBe('')
  })

  it('ECO-001 RO-01 has no secret that was taken out of its list', async () => {
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

  it('ECO-001 trusts the host no more, or only now', async () => {
    const config = configure()
    expect((await ask(config, '/auth/session')).status).toBe(200)
    config.trustHost = false
    expect((await ask(config, '/auth/session')).status).toBe(500)
    config.trustHost = true
    expect((await ask(config, '/auth/session')).status).toBe(200)
  })

  it('ECO-001 has no CSRF token any more', async () => {
    const config = configure()
    expect((await ask(config, '/auth/csrf')).status).toBe(200)
    config.skipCSRFCheck = skipCSRFCheck
    expect((await ask(config, '/auth/csrf')).status).toBe(404)
  })

  it('ECO-001 answers with data in raw mode', async () => {
    const config = configure()
    expect(await ask(config, '/auth/providers')).toBeInstanceOf(Response)
    config.raw = raw
    expect(await ask(config, '/auth/providers')).not.toBeInstanceOf(Response)
  })
})

describe('a copy of a configuration, as integrations make one for each call', () => {
  it('ECO-004 warns only of what nobody was warned of', async () => {
    const warnings: string[] = []
    const config = configure(warnings)
    await ask({ ...config }, '/auth/session')
    await ask({ ...config }, '/auth/session')
    await ask({ ...config, skipCSRFCheck }, '/auth/session')
    await ask({ ...config, skipCSRFCheck }, '/auth/session')
    expect(warnings).toEqual(['weak-secret', 'csrf-disabled'])
    await ask({ ...config, providers: [] }, '/auth/session')
    expect(warnings).toEqual(['weak-secret', 'csrf-disabled', 'weak-secret'])
  })
})

/** The CSRF cookie that is set, as it would be sent. */
function csrfCookie(response: Response): string {
  const line = response.headers.getSetCookie().find((each) => each.includes('csrf-token'))
  return line?.split(';')[0] ?? ''
}
