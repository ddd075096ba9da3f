import { expect, it, onTestFinished } from 'vitest'
import { encode } from '../../src/jwt.ts'
import { findFreeOrigin, serveApp } from '../integrations/serve-app.ts'
import { findDropin } from './apps.ts'

const { name, serve, basePath } = findDropin('next-edge')
const secret = 'a secret of the tests, long enough'

it('EMB-029 reads sessions in middleware on the edge runtime of Next.js', async () => {
  const origin = await findFreeOrigin()
  const app = { name, directory: `test/dropin/${name}`, serve: [...serve, 'own'], basePath }
  const provider = {
    AUTH_DEMO_ISSUER: 'https://idp.test',
    AUTH_DEMO_ID: 'example',
    AUTH_DEMO_SECRET: 'secret',
  }
  const served = serveApp(app, origin, { AUTH_SECRET: secret, ...provider })
  onTestFinished(served.end)
  await served.ready
  const refused = await fetch(`${origin}/members`)
  expect([refused.status, await refused.json()]).toEqual([401, { error: 'SessionRequired' }])
  const salt = 'authjs.session-token'
  const token = await encode({ token: { name: 'Ada' }, secret, salt })
  const admitted = await fetch(`${origin}/members`, { headers: { cookie: `${salt}=${token}` } })
  expect([admitted.status, await admitted.text()]).toEqual([200, expect.stringContaining('Members')])
  expect(admitted.headers.getSetCookie().join()).toContain(`${salt}=ey`)
})
