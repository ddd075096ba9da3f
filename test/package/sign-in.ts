import { runCommand } from './command.ts'

/** Signs in with credentials, as a browser would, and reads the session. */
const program = `
import assert from 'node:assert/strict'
import { createAuth } from 'authmachine'
import Credentials from 'authmachine/providers/credentials'

const { handler } = createAuth({
  secret: 'a secret that is long enough for this',
  trustHost: true,
  basePath: '/auth',
  providers: [Credentials({ credentials: { pin: {} }, authorize: () => ({ id: '1', name: 'Ada' }) })],
})
const jar = new Map()
async function send(path, body) {
  const headers = { cookie: [...jar].map((pair) => pair.join('=')).join('; ') }
  const method = body ? 'POST' : 'GET'
  const response = await handler(new Request('http://localhost:3000/auth' + path, { method, headers, body }))
  for (const cookie of response.headers.getSetCookie()) {
    const [name, value] = cookie.split(';')[0].split(/=(.*)/s)
    jar.set(name, value)
  }
  return response
}
const { csrfToken } = await (await send('/csrf')).json()
const response = await send('/callback/credentials', new URLSearchParams({ csrfToken, pin: '1' }))
assert.equal(response.status, 302)
const session = await (await send('/session')).json()
assert.equal(session.user.name, 'Ada')
`

/** Signs in with the installed package. @throws Error with the program's output, unless it signs in */
export function trySignIn(node: string, directory: string): void {
  runCommand(node, ['--input-type=module', '--eval', program], directory)
}
