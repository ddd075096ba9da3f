import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { properties } from '../../../fuzz/properties/index.ts'
import { setupsOf } from '../../../fuzz/properties/property.ts'
import { judge } from '../../../fuzz/run/judge.ts'
import { loadDescription } from '../../../fuzz/targets/described/load-description.ts'
import { driveUrl, type Application } from '../../../fuzz/targets/url.ts'
import { createAuth } from '../../../src/index.ts'
import { createNodeAuth } from '../../../src/node.ts'

/** The first of the oracle's four ports. */
const port = 24_780
const folder = mkdtempSync(join(tmpdir(), 'authmachine-wire-'))
const closing: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Serves an application with the routes of Auth.js, and other pages. @returns the URL of its routes */
async function serve(pages: RequestListener = (_, response) => void response.end()): Promise<string> {
  const provider = {
    id: 'google',
    name: 'Google',
    type: 'oidc',
    issuer: `http://127.0.0.1:${port}`,
    clientId: 'client-at-alpha',
    clientSecret: 'secret-at-alpha-0123456789',
  } as const
  const { handler } = createNodeAuth(
    createAuth({
      trustHost: true,
      secret: 'the secret of the application, which is long enough',
      logger: { error() {}, warn() {}, debug() {} },
      providers: [provider],
      callbacks: {
        session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub } }),
      },
    }),
  )
  const server = createServer((request, response) =>
    request.url?.startsWith('/auth/') ? void handler(request, response) : pages(request, response),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => void (server.closeAllConnections(), server.close()))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/auth`
}

/** Judges a property on an application with the routes of Auth.js. */
async function judgeOn(application: Application, name: string) {
  const property =
    properties.find((each) => each.name === name) ?? expect.fail(`There is no property ${name}`)
  const driver = await driveUrl({ ...application, port })
  const [setup = ''] = Object.keys(setupsOf(property))
  try {
    return await judge(
      property,
      setup,
      { ...driver, strategy: 'jwt' },
      { seed: 1, share: 0.3, limit: 20_000 },
    )
  } finally {
    await driver.close()
  }
}

const exposed = 'shows no secret, session or other user on a page for developers, or in a file of the project'
const composed = 'writes no line to its log that a request composed'

describe('an application with the routes of Auth.js', () => {
  it('is described by the oracle, with its own pages beside these routes', async () => {
    expect(await judgeOn({ url: await serve() }, exposed)).toMatchObject({ verdict: 'PASS', runs: 1 })
    const url = await serve((request, response) =>
      response.end(request.url === '/users' ? 'ada@alpha.example' : ''),
    )
    const { verdict, finding } = await judgeOn({ url }, exposed)
    expect({ verdict, says: finding?.says }).toEqual({
      verdict: 'FAIL',
      says: '/users, opened by eve, shows the address of ada',
    })
  })

  it('signs nobody in with a part of the session cookie', async () => {
    const name = 'signs nobody in with an incomplete session id, a pattern or an empty text'
    expect(await judgeOn({ url: await serve() }, name)).toMatchObject({ verdict: 'PASS', runs: 1 })
  })

  it('has forms with a CSRF token, of which the oracle reads many', async () => {
    const name = 'gives every visitor a CSRF token that nobody can guess'
    expect(await judgeOn({ url: await serve() }, name)).toMatchObject({ verdict: 'PASS', runs: 1 })
  })

  it('is not judged twice where a property knows its routes', async () => {
    const { verdict, reason } = await judgeOn({ url: await serve() }, 'signs nobody out by a link')
    const why = 'the target does not support the feature custom-routes'
    expect({ verdict, reason }).toEqual({ verdict: 'SKIP', reason: why })
  })

  it('has a log if its file says so', async () => {
    const file = join(folder, 'target.json')
    writeFileSync(file, JSON.stringify({ preset: 'authjs', log: 'app.log' }))
    const loaded = await loadDescription(file)
    expect(loaded).toEqual({ log: join(folder, 'app.log') })
    const url = await serve()
    expect(await judgeOn({ url }, composed)).toMatchObject({ verdict: 'SKIP' })
    const writing = setInterval(() => void appendFile(loaded.log ?? '', 'a line\n'), 10)
    closing.push(() => clearInterval(writing))
    expect(await judgeOn({ url, ...loaded }, composed)).toMatchObject({ verdict: 'PASS' })
  })
})
