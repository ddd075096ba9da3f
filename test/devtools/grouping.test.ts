import { describe, expect, it } from 'vitest'
import { charts } from '../../machines/by-id.ts'
import type { Chart } from '../../machines/chart.ts'
import { createCookieTable } from '../../src/cookies/cookie-table.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import { createDevtools, type Devtools } from '../../src/devtools.ts'
import { createGrouping } from '../../src/tools/devtools/grouping.ts'
import { openApp, origin, sessionOf, signIn, signOut, startSignIn, type App } from '../support/app.ts'
import { openAgent } from '../support/browser-agent.ts'
import { askForLink, openMailApp } from '../support/mail.ts'

function open(app: App = openApp({ provider: { checks: ['pkce', 'state', 'nonce'] } })) {
  const devtools = createDevtools()
  const { handler } = createAuth(devtools.watch(app.config))
  return { app, devtools, openBrowser: () => openAgent(origin, handler) }
}

/** The flows of each group, in the order in which they ran. */
function groupsOf(devtools: Devtools): string[][] {
  const groups = new Map<string, string[]>()
  for (const { flow, group } of devtools.runs().toReversed())
    groups.set(group, [...(groups.get(group) ?? []), flow])
  return [...groups.values()]
}

describe('the groups of runs', () => {
  it.each(['jwt', 'database'] as const)(
    'DEC-37h contain a sign-in from its start to the sign-out, with %s sessions',
    async (strategy) => {
      const { app, devtools, openBrowser } = open(openApp({ strategy }))
      const agent = openBrowser()
      await sessionOf(agent)
      await sessionOf(agent)
      await signIn(app, agent)
      await sessionOf(agent)
      await sessionOf(agent)
      await signOut(agent)
      await sessionOf(agent)
      await signIn(app, agent)
      expect(groupsOf(devtools)).toEqual([
        // A browser without cookies cannot be recognised.
        ['session'],
        ['session'],
        ['sign-in', 'callback', 'session', 'session', 'sign-out'],
        ['session'],
        ['sign-in', 'callback'],
      ])
    },
  )

  it('DEC-37h keep browsers apart that sign in at the same time', async () => {
    const { app, devtools, openBrowser } = open()
    const agents = [openBrowser(), openBrowser()]
    const locations = []
    for (const agent of agents) locations.push((await startSignIn(agent)).headers.get('location') ?? '')
    for (const [index, agent] of agents.entries()) {
      const { parameters } = await app.idp.authorize(locations[index] ?? '')
      await agent.send(`/auth/callback/idp?${parameters}`)
    }
    for (const agent of agents) await sessionOf(agent)
    expect(groupsOf(devtools)).toEqual([
      ['sign-in', 'callback', 'session'],
      ['sign-in', 'callback', 'session'],
    ])
    const [, , , , second, first] = devtools.runs()
    expect([first?.group, second?.group]).toEqual([first?.id, second?.id])
  })

  it('contain the requests of a session whose cookie is split', async () => {
    const picture = `https://idp.test/${'a'.repeat(6000)}.png`
    const { app, devtools, openBrowser } = open(
      openApp({ config: { callbacks: { jwt: ({ token }) => ({ ...token, picture }) } } }),
    )
    const agent = openBrowser()
    await signIn(app, agent)
    expect(Object.keys(agent.cookies())).toContain('__Secure-authjs.session-token.1')
    agent.forget('__Host-authjs.csrf-token')
    await sessionOf(agent)
    await sessionOf(agent)
    expect(groupsOf(devtools)).toEqual([['sign-in', 'callback', 'session', 'session']])
  })

  it('start with each attempt of a browser', async () => {
    const { devtools, openBrowser } = open()
    const agent = openBrowser()
    await startSignIn(agent)
    await startSignIn(agent)
    expect(groupsOf(devtools)).toEqual([['sign-in'], ['sign-in']])
  })

  it('contain a mailed link that the same browser opens', async () => {
    const app = openMailApp(openApp, { mail: { generateVerificationToken: () => 'token-of-the-link' } })
    const { devtools, openBrowser } = open(app)
    const agent = openBrowser()
    await askForLink(agent, 'ada@example.com')
    await agent.send('/auth/callback/mail?token=token-of-the-link&email=ada@example.com')
    expect(groupsOf(devtools)).toEqual([['email-request', 'email-verification']])
  })
})

describe('a grouping', () => {
  const cookies = (entries: Record<string, string>) => new Map(Object.entries(entries))

  it.each([
    ['sign-in', 'callback', 'state'],
    ['sign-in', 'callback', 'pkceCodeVerifier'],
    ['sign-in', 'callback', 'nonce'],
    ['email-request', 'email-verification', 'requestedLinks'],
    ['mail-code-request', 'mail-code-guess', 'requestedCode'],
    ['password-request', 'password-reset', 'requestedLinks'],
    ['webauthn-options', 'webauthn', 'webauthnChallenge'],
    ['credentials', 'factor', 'pendingSignIn'],
    ['sign-in', 'session', 'sessionToken'],
  ])('of %s and %s prefers the cookie %s to those of the browser', (start, flow, purpose) => {
    const { place, bind } = createGrouping(7)
    const csrfToken = 'shared by all tabs'
    for (const id of ['1', '2']) {
      const method = start === 'webauthn-options' ? 'GET' : 'POST'
      expect(place({ id, flow: start, method }, cookies({ csrfToken }))).toBe(id)
      bind({ flow: start, group: id }, cookies({ [purpose]: `of ${id}` }))
    }
    const placed = (received: Record<string, string>) =>
      place({ id: '3', flow, method: 'GET' }, cookies({ csrfToken, ...received }))
    expect(placed({ [purpose]: 'of 1' })).toBe('1')
    expect(placed({ [purpose]: 'of 2' })).toBe('2')
    expect(placed({ [purpose]: 'another' })).toBe('2')
  })

  it('adds the form for a link to the group of its browser', () => {
    const { place } = createGrouping(7)
    const run = { flow: 'password-request', method: 'GET' }
    expect(place({ ...run, id: '1' }, cookies({ csrfToken: 'a' }))).toBe('1')
    expect(place({ ...run, id: '2' }, cookies({ csrfToken: 'a' }))).toBe('1')
  })

  it('keeps a cookie that is sent again longer than others', () => {
    const { place, bind } = createGrouping(7)
    const send = (sessionToken: string) =>
      bind({ flow: 'session', group: sessionToken }, cookies({ sessionToken }))
    for (const token of ['first', 'second', 'first']) send(token)
    for (let n = 0; n < 4095; n++) send(`${n}`)
    const groupOf = (sessionToken: string) =>
      place({ id: 'new', flow: 'session', method: 'GET' }, cookies({ sessionToken }))
    expect([groupOf('first'), groupOf('second')]).toEqual(['first', 'new'])
  })

  it('forgets the oldest cookies', () => {
    const { place, bind } = createGrouping(7)
    const groupOf = (sessionToken: string) =>
      place({ id: 'new', flow: 'session', method: 'GET' }, cookies({ sessionToken }))
    bind({ flow: 'callback', group: 'old' }, cookies({ sessionToken: 'first' }))
    for (let n = 0; n < 4000; n++) bind({ flow: 'callback', group: 'old' }, cookies({ sessionToken: `${n}` }))
    expect(groupOf('first')).toBe('old')
    for (let n = 0; n < 200; n++)
      bind({ flow: 'callback', group: 'old' }, cookies({ sessionToken: `more ${n}` }))
    expect([groupOf('first'), groupOf('3999')]).toEqual(['new', 'old'])
  })

  it('use only cookies that exist', () => {
    const purposes = Object.keys(createCookieTable({}, true))
    const bound = Object.values<Chart>(charts).flatMap(({ meta }) => meta.boundBy ?? [])
    expect(bound).not.toEqual([])
    expect(bound.filter((purpose) => !purposes.includes(purpose))).toEqual([])
  })
})
