import { describe, expect, it } from 'vitest'
import { openApp, type AppOptions } from '../support/app.ts'

const said: NonNullable<AppOptions['config']>[] = [{ trustHost: false }, { trustHost: undefined }]

describe('a configuration that does not trust the host', () => {
  it('ATN-014 is rejected on every route', async () => {
    for (const config of said) {
      const app = openApp({ config })
      const agent = app.agent()
      for (const [method, path] of [
        ['GET', '/auth/session'],
        ['GET', '/auth/csrf'],
        ['GET', '/auth/callback/idp?code=1'],
        ['POST', '/auth/signin/idp'],
        ['POST', '/auth/signout'],
      ] as const) {
        const response = await agent.send(path, { method })
        expect(response.status).toBe(500)
        expect(response.headers.getSetCookie()).toEqual([])
      }
      expect(new Set(app.errors.map(({ name }) => name))).toEqual(new Set(['UntrustedHost']))
      expect(app.idp.log).toHaveLength(0)
    }
  })

  it('HH-01 shows pages that do not name the host', async () => {
    for (const path of ['signin', 'signout', 'error', 'nowhere']) {
      const trusting = openApp()
      const doubting = openApp({ config: { trustHost: false } })
      const ask = () => new Request(`https://evil.test/auth/${path}`)
      expect(await (await doubting.handle(ask())).text()).not.toContain('evil.test')
      if (path === 'nowhere') expect(await (await trusting.handle(ask())).text()).toContain('evil.test')
    }
  })
})
