import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { locationOf } from '../flows/expectations.ts'
import { openApp, sessionOf, signIn, visitProvider, type App } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'
import { copyCookies, followLink } from '../support/follow-link.ts'
import { askForLink, openMailApp, pathOf } from '../support/mail.ts'
import { orderedStore } from '../support/ordered-store.ts'
import { openRace, type Race } from '../../fuzz/world/race.ts'
import { openRaceApp } from '../support/scheduled.ts'
import { spread } from '../support/spread.ts'

vi.setConfig({ testTimeout: 60_000 })

const home = 'https://app.test/'
const size = fc.integer({ min: 2, max: 3 })

const isIn = (response: Response) => locationOf(response).href === home

/** Expects the responses of a race to be consistent: exactly the browsers with a success response have a session. */
async function expectConsistent(app: App, agents: readonly Agent[], responses: readonly Response[]) {
  for (const [n, agent] of agents.entries())
    expect((await sessionOf(agent)) !== null).toBe(isIn(responses[n] ?? Response.error()))
  expect(app.rows.sessions()).toHaveLength(responses.filter(isIn).length)
}

/** An application with e-mail links, run by a scheduler. */
function openMailRace(race: Race) {
  return openRaceApp(race, { strategy: 'database', apart: true }, (options) => {
    const mails: Parameters<typeof pathOf>[0][] = []
    const send = (mail: (typeof mails)[number]) => race.around('mail', () => void mails.push(mail))
    return { ...openMailApp(openApp, { ...options, mail: { sendVerificationRequest: send } }), mails }
  })
}

describe('concurrent first sign-ins of one account', () => {
  it.each([
    ['without an address', {}],
    ['with an address', { email: 'ada@example.com' }],
  ])('CC-01 end with one user, one account and consistent outcomes, %s', async (name, claims) => {
    const cases = spread(`concurrent first sign-ins, ${name}`)
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), size, async (scheduler, count) => {
        const race = openRace(scheduler)
        const app = openRaceApp(race, { strategy: 'database', idp: { users: [{ sub: 'ada', claims }] } })
        const agents = Array.from({ length: count }, () => app.agent())
        const asked = await Promise.all(agents.map((agent) => visitProvider(app, agent)))
        const responses = await race.run(
          agents.map((agent, n) => () => agent.send(`/auth/callback/idp?${asked[n]?.parameters}`)),
        )

        const [user, ...others] = app.rows.users()
        expect(others).toEqual([])
        expect(app.rows.accounts()).toMatchObject([{ userId: user?.id, providerAccountId: 'ada' }])
        await expectConsistent(app, agents, responses)
        expect(responses.some(isIn)).toBe(true)
        if (!('email' in claims)) expect(responses.every(isIn)).toBe(true)
        for (const response of responses)
          if (!isIn(response))
            expect(locationOf(response).href).toBe(`${home}auth/signin?error=OAuthAccountNotLinked`)
        expect(app.events.filter(({ event }) => event === 'createUser')).toHaveLength(1)
        for (const agent of agents) expect(isIn(await signIn(app, agent))).toBe(true)
        expect(app.rows.users()).toHaveLength(1)

        cases.count(`${count} concurrent`)
        if (race.choices() > 10) cases.count('with many choices')
        for (const event of new Set(app.hops.map((hop) => hop.event)))
          if (['user.conflicting', 'user.orphaned'].includes(event)) cases.count(event)
      }),
      { numRuns: 30 },
    )
    cases.report()
    cases.atLeast('with many choices', 20)
    cases.atLeast('email' in claims ? 'user.conflicting' : 'user.orphaned', 6)
  })
})

describe('a first sign-in that finds the address before the account', () => {
  it('CC-01 reads again until another process has stored the account, and signs in with it', async () => {
    // The account is stored only after the second sign-in has looked for it three times without success.
    const wrap = orderedStore({ 'createUser#1': 'getUserByEmail#2', 'linkAccount#1': 'getUserByAccount#5' })
    const app = openApp({ strategy: 'database', wrap, apart: true })
    const agents = [app.agent(), app.agent()]
    const asked = await Promise.all(agents.map((agent) => visitProvider(app, agent)))
    const responses = await Promise.all(
      agents.map((agent, n) => agent.send(`/auth/callback/idp?${asked[n]?.parameters}`)),
    )
    expect(responses.map(isIn)).toEqual([true, true])
    await expectConsistent(app, agents, responses)
    expect(app.rows.users()).toHaveLength(1)
  }, 15_000)
})

describe('concurrent e-mail links', () => {
  it('CC-02 to one new address end with one user', async () => {
    const cases = spread('concurrent links to one new address')
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), size, async (scheduler, count) => {
        const race = openRace(scheduler)
        const app = openMailRace(race)
        const agents = Array.from({ length: count }, () => app.agent())
        const asked = await race.run(agents.map((agent) => () => askForLink(agent, 'ada@example.com')))
        for (const response of asked) expect(locationOf(response).pathname).toBe('/auth/verify-request')
        expect(app.mails).toHaveLength(count)
        const responses = await race.run(
          agents.map((agent, n) => {
            const mail = app.mails[n]
            return () => (mail ? followLink(agent, pathOf(mail)) : Promise.reject(new Error('no mail')))
          }),
        )

        expect(app.rows.users()).toMatchObject([
          { email: 'ada@example.com', emailVerified: expect.any(Date) },
        ])
        expect(responses.every(isIn)).toBe(true)
        await expectConsistent(app, agents, responses)
        expect(app.events.filter(({ event }) => event === 'createUser')).toHaveLength(1)
        cases.count(`${count} concurrent`)
        if (app.hops.some(({ event }) => event === 'user.conflicting')) cases.count('user.conflicting')
      }),
      { numRuns: 30 },
    )
    cases.report()
    cases.atLeast('user.conflicting', 6)
  })

  it('SU-01 open one session if they are the same link; the other requests see an error', async () => {
    const cases = spread('one link followed concurrently')
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), size, fc.boolean(), async (scheduler, count, isKnown) => {
        const race = openRace(scheduler)
        const app = openMailRace(race)
        const asker = app.agent()
        if (isKnown) {
          await askForLink(asker, 'ada@example.com')
          const [first] = app.mails.splice(0)
          if (first) await copyCookies(asker, app.agent()).send(pathOf(first))
        }
        const before = app.rows.sessions().length
        await askForLink(asker, 'ada@example.com')
        const [mail] = app.mails
        if (!mail) throw new Error('no e-mail was sent')
        const agents = Array.from({ length: count }, () => copyCookies(asker, app.agent()))
        const responses = await race.run(agents.map((agent) => () => agent.send(pathOf(mail))))

        expect(responses.filter(isIn)).toHaveLength(1)
        expect(app.rows.sessions()).toHaveLength(before + 1)
        for (const [n, response] of responses.entries()) {
          expect((await sessionOf(agents[n] ?? asker)) !== null).toBe(isIn(response))
          if (!isIn(response)) expect(locationOf(response).href).toBe(`${home}auth/error?error=Verification`)
        }
        cases.count(isKnown ? 'of a known user' : 'of a new user')
        if (responses.findIndex(isIn) > 0) cases.count('not the first one won')
      }),
      { numRuns: 30 },
    )
    cases.report()
    cases.atLeast('not the first one won', 3)
    cases.atLeast('of a new user', 3)
  })
})

describe('concurrent copies of one provider response', () => {
  // Sealed cookies cannot know that a code is already in use. The provider accepts it once.
  it('CC-08 open one session; once the first completes, no request sends the code again', async () => {
    const cases = spread('concurrent copies of a provider response')
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), size, async (scheduler, count) => {
        const race = openRace(scheduler)
        const app = openRaceApp(race, { strategy: 'database' })
        const agent = app.agent()
        const { parameters } = await visitProvider(app, agent)
        const sendResponse = () => agent.send(`/auth/callback/idp?${parameters}`)
        const responses = await race.run(Array.from({ length: count }, () => sendResponse))

        const sent = app.idp.requestsTo('token').length
        expect(sent).toBeLessThanOrEqual(count)
        expect(responses.filter(isIn)).toHaveLength(1)
        expect(app.rows.sessions()).toHaveLength(1)
        expect(isIn(await sendResponse())).toBe(false)
        expect(app.idp.requestsTo('token')).toHaveLength(sent)
        expect(app.rows.sessions()).toHaveLength(1)
        cases.count(`${count} concurrent, ${sent} sent`)
      }),
      { numRuns: 25 },
    )
    cases.report()
  })
})
