import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csrfOf, openApp, sessionOf, type App } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'
import { nastyUrl } from '../../fuzz/arbitraries/nasty-urls.ts'
import { spread } from '../support/spread.ts'
import { callbackUrlCookie, locationOf } from './expectations.ts'

const sources = ['form', 'json', 'query', 'cookie', 'referer'] as const
type Source = (typeof sources)[number]

/** Half a surrogate pair cannot be encoded. */
const encode = (text: string) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))

/** A POST with a target, sent in one of the ways that clients may use. */
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

/** The address to which this response sends a browser, by the browser's own URL parsing. */
function landing(response: Response): URL {
  expect(response.status).toBe(302)
  return new URL(response.headers.get('location') ?? '', 'https://app.test/auth/callback/idp')
}

async function signInBy(app: App, agent: Agent, source: Source, target: string): Promise<Response> {
  const started = await post(agent, '/auth/signin/idp', source, target)
  const { parameters } = await app.idp.authorize(locationOf(started).href)
  // The cookie is under the browser's control: somebody may have planted it while the user was away.
  if (source === 'cookie') agent.set(`${callbackUrlCookie}=${encode(target)}; Path=/; Secure`)
  return agent.send(`/auth/callback/idp?${parameters}`)
}

describe('callback URLs of any kind', () => {
  it('RD-01 RD-02 RD-03 RD-04 RD-09 RD-10 lead to our own origin, and stop neither sign-in nor sign-out', async () => {
    const cases = spread('callback URLs through the whole flow')
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
        cases.count(arrived.href === 'https://app.test/' ? 'replaced by the origin' : 'followed')
      }),
      { numRuns: 250 },
    )
    cases.report()
    for (const source of sources) cases.atLeast(source, 20)
    cases.atLeast('replaced by the origin', 60)
    cases.atLeast('followed', 15)
  }, 60_000)
})
