import { http, HttpResponse, delay } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createHash } from 'node:crypto'
import type { PasswordOptions } from '../../src/password.ts'
import { platform } from '../../src/types/symbols.ts'
import { type App, openApp } from '../support/app.ts'
import { changePassword, newPassword, openPasswordApp, resetPassword, signIn } from '../support/passwords.ts'

const server = setupServer()
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

const hash = createHash('sha1').update(newPassword).digest('hex').toUpperCase()
const [prefix, suffix] = [hash.slice(0, 5), hash.slice(5)]
const other = 'F'.repeat(35)

async function openCheckedApp(checkBreached: PasswordOptions['checkBreached'] = true) {
  const config = { [platform]: { fetch: globalThis.fetch } }
  const app = openPasswordApp(openApp, { passwords: { checkBreached }, config })
  await app.addUser()
  return app
}

function warningsOf({ warnings }: App): string[] {
  return warnings.filter((code) => code !== 'debug-enabled')
}

/** Serves a range, and returns the requests. */
function serve(respond: () => Response | Promise<Response>): Request[] {
  const requests: Request[] = []
  const handle = async ({ request }: { request: Request }) => {
    requests.push(request)
    return respond()
  }
  server.use(http.get('https://api.pwnedpasswords.com/range/:prefix', handle))
  return requests
}

describe('a new password', () => {
  it('PW-11 is refused if it was breached, by the first five digits of its hash', async () => {
    const requests = serve(() => HttpResponse.text(`${other}:2\r\n${suffix}:3\r\n`))
    const app = await openCheckedApp()
    const agent = app.agent()
    const response = await resetPassword(app, agent)
    expect([response.status, app.ended()]).toEqual([422, 'awaitingPassword'])
    expect(await response.text()).toContain('known from a data breach')
    expect(requests.map(({ url }) => url)).toEqual([`https://api.pwnedpasswords.com/range/${prefix}`])
    expect(requests[0]?.headers.get('add-padding')).toBe('true')
    await signIn(agent)
    await changePassword(agent)
    expect(app.ended()).toBe('awaitingPassword')
  })

  it.each([
    ['not in the range', `${other}:2`],
    ['padding', `${suffix}:0\r\n${other}:2`],
    ['not text of the service', '<html>'],
  ])('PW-11 is accepted if it is %s', async (_, range) => {
    serve(() => HttpResponse.text(range))
    const app = await openCheckedApp()
    await resetPassword(app, app.agent())
    expect([app.ended(), warningsOf(app)]).toEqual(['signedIn', []])
  })

  it.each([
    ['is down', () => HttpResponse.error()],
    ['fails', () => new HttpResponse(`${suffix}:3`, { status: 503 })],
    ['sends too much', () => HttpResponse.text(`${suffix}:3\n`.padEnd(1_000_001, '0'))],
  ])('PW-11 is accepted with a warning if the service %s', async (_, respond) => {
    serve(respond)
    const app = await openCheckedApp()
    await resetPassword(app, app.agent())
    expect([app.ended(), warningsOf(app)]).toEqual(['signedIn', ['breach-check-failed']])
  })

  it('PW-11 is accepted with a warning if there is no response within three seconds', async () => {
    serve(async () => {
      await delay(10_000)
      return HttpResponse.text(`${suffix}:3`)
    })
    const silent = vi.fn(() => new Promise<string>(() => {}))
    const apps = [await openCheckedApp(), await openCheckedApp(silent)]
    await Promise.all(apps.map(async (app) => resetPassword(app, app.agent())))
    for (const app of apps)
      expect([app.ended(), warningsOf(app)]).toEqual(['signedIn', ['breach-check-failed']])
    expect(silent).toHaveBeenCalledWith(prefix)
  })

  it('PW-11 is compared in the form in which it is hashed', async () => {
    const app = await openCheckedApp((asked) => {
      const nfc = createHash('sha1')
        .update('cr\u00e8me br\u00fbl\u00e9e a la carte')
        .digest('hex')
        .toUpperCase()
      expect(asked).toBe(nfc.slice(0, 5))
      return `${nfc.slice(5).toLowerCase()}:1`
    })
    const agent = app.agent()
    await signIn(agent)
    await changePassword(agent, { password: 'cre\u0300me bru\u0302le\u0301e a la carte' })
    expect([app.ended(), warningsOf(app)]).toEqual(['awaitingPassword', []])
  })

  it('PW-11 is not sent anywhere by default', async () => {
    const requests = serve(() => HttpResponse.text(`${suffix}:3`))
    const app = await openCheckedApp(false)
    await resetPassword(app, app.agent())
    expect([app.ended(), requests]).toEqual(['signedIn', []])
  })
})
