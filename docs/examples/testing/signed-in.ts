import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAuth } from '../../../src/index.ts'
import { encode } from '../../../src/jwt.ts'

const secret = 'only for tests, and long enough for one'
const auth = createAuth({ providers: [], secret, trustHost: true })

/** A request as the browser of that user would send it. */
async function requestAs(
  user: { readonly sub: string; readonly name: string },
  url: string,
): Promise<Request> {
  const name = 'authjs.session-token'
  const token = await encode({ token: { ...user }, secret, salt: name })
  return new Request(url, { headers: { cookie: `${name}=${token}` } })
}

test('knows who is signed in', async () => {
  const session = await auth.getSession(await requestAs({ sub: '1', name: 'Ada' }, 'http://localhost/'))
  assert.equal(session?.user?.name, 'Ada')
})

test('knows when nobody is', async () => {
  assert.equal(await auth.getSession(new Request('http://localhost/')), null)
})
