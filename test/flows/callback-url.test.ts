import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csrfOf, openApp, sessionOf, type App } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'
import { nastyUrl } from '../../fuzz/arbitraries/nasty-urls.ts'
import { spread } from '../support/spread.ts'
import { callbackUrlCookie, locationOf } from './told.ts'

const sources = ['form', 'json', 'query', 'cookie', 'referer'] as const
type Source = (typeof sources)[number]

/** Half a surrogate pair has no encoding. */
const encode = (text: string) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))

/** A POST that carries a target by one of the ways in which a client can name it. */
async function post(agent: Agent, path: string, source: Source, target: string): Promise<Response> {
  const csrfToken = await csrfOf(agent)
  const encoded = encode(target)
  switch (source) {
    case 'form':
      return agent.send(path, { form: { csrfToken, callbackUrl: target } })
    case 'json':
      return agent.send(path, { json: { csrfToken, callbackUrl: target } })
    case 'query':
      return agent.send(`${path}?callbackUrl=${encoded}`, { form: { csrfToken } })
    case 'cookie':
      agent.set(`${callbackUrlCookie}=${encoded}; Path=/; Secure`)
      return agent.send(path, { form: { csrfToken } })
    case 'referer':
      return agent.send(path, { form: { csrfToken }, headers: { referer: encoded } })
  }
}

/** Where a browser goes that got this response, as it parses URLs itself. */
function landing(response: Response): URL {
  expect(response.status).toBe(302)
  return new URL(response.headers.get('location') ?? '', 'https://app.test/auth/callback/idp')
}

async function signInBy(app: App, agent: Agent, source: Source, target: string): Promise<Response> {
  const started = await post(agent, '/auth/signin/idp', source, target)
  const { parameters } = await app.idp.authorize(locationOf(started).href)
  // The cookie is the browser's own to write: somebody may have planted it while the user was away.
  if (source === 'cookie') agent.set(`${callbackUrlCookie}=${encode(target)}; Path=/; Secure`)
  return agent.send(`/auth/callback/idp?${parameters}`)
}

describe('targets of any kind', () => {
  it('RD-01 RD-02 RD-03 RD-04 RD-09 RD-10 lead to the own origin, and stop neither sign-in nor sign-out', async () => {
    const cases = spread('targets through the whole flow')
    const app = openApp()
    await fc.assert(
      fc.asyncProperty(nastyUrl, fc.constantFrom(...sources), async (target, source) => {
        const agent = app.agent()
        const arrived = landing(await signInBy(app, agent, source, target))
        expect(app.ended()).toBe('signedIn')
        expect(arrived.origin).toBe('https://app.test')
        expect(await sessionOf(agent)).not.toBeNull()
        const left = landing(await post(agent, '/auth/signout', source, target))
        expect(app.ended()).toBe('signedOut')
        expect(left.origin).toBe('https://app.test')
        expect(await sessionOf(agent)).toBeNull()
        cases.count(source)
        cases.count(arrived.href === 'https://app.test/' ? 'replaced by the origin' : 'gone to')
      }),
      { numRuns: 250 },
    )
    cases.report()
    for (const source of sources) cases.atLeast(source, 20)
    cases.atLeast('replaced by the origin', 60)
    cases.atLeast('gone to', 15)
  }, 60_000)
})
