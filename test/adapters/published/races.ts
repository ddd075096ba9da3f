import { setTimeout as wait } from 'node:timers/promises'
import { inspect } from 'node:util'
import type { Adapter } from '../../../src/types/adapter.ts'
import { csrfOf, openApp, origin, sessionOf, signIn, visitProvider, type App } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { copyCookies } from '../../support/follow-link.ts'
import { askForLink, openMailApp, pathOf } from '../../support/mail.ts'
import { sessionCookie } from '../../support/session-cookie.ts'

/** Races between requests, each with its expected result. */
export const races = {
  'one mailed link signs in one browser': followOneLink,
  'links to one new address create one user': followManyLinks,
  'first sign-ins of one account create one user': signInFirst,
  'a sign-out is final': signOutBesideExtensions,
} as const
export type RaceName = keyof typeof races

/** An adapter, and a function that empties its store. */
export interface RaceSubject {
  readonly adapter: Adapter
  readonly clear: () => unknown
}

/** The number of times that each race runs. A single failure fails the race. */
const rounds = 5
const atOnce = 6

/**
 * Runs a race on an adapter, through the library.
 * @param apart serves each browser as a separate process would, so that only the store can coordinate them
 * @returns the failure, if there is one
 */
export async function runRace(
  name: RaceName,
  { adapter, clear }: RaceSubject,
  apart: boolean,
): Promise<string | undefined> {
  for (let round = 0; round < rounds; round++) {
    await clear()
    const wrong = await races[name]({ adapter, apart, round })
    if (wrong !== undefined) return wrong
  }
  return undefined
}

interface Race {
  readonly adapter: Adapter
  readonly apart: boolean
  readonly round: number
}

const isIn = (response: Response) =>
  new URL(response.headers.get('location') ?? '', origin).href === `${origin}/`
const browsers = (app: App) => Array.from({ length: atOnce }, () => app.agent())
/** Exposes the user id in the session. */
const config = {
  callbacks: {
    session: ({ session, user }: { session: object; user: { id: string } }) => ({ ...session, id: user.id }),
  },
}

function openMail({ adapter, apart }: Race) {
  return openMailApp(openApp, { wrap: () => adapter, config: config as never, apart })
}

function openOAuth({ adapter, apart }: Race, more: object = {}) {
  return openApp({
    strategy: 'database',
    wrap: () => adapter,
    apart,
    config: { ...config, ...more } as never,
  })
}

/** @returns the difference, with the errors that the library logged */
function compareCount(app: App, what: string, found: number, expected: number): string | undefined {
  if (found === expected) return undefined
  return `${what}: expected ${expected}, found ${found} ${app.errors.map((error) => inspect(error.cause ?? error)).join('; ')}`
}

/** The number of different users that the browsers are signed in as. */
async function countUsers(agents: readonly Agent[]): Promise<number> {
  const sessions = await Promise.all(agents.map(sessionOf))
  return new Set(sessions.flatMap((session) => (session ? [session['id']] : []))).size
}

async function followOneLink(race: Race): Promise<string | undefined> {
  const app = openMail(race)
  const asker = app.agent()
  await askForLink(asker, 'ada@example.com')
  const tabs = browsers(app).map((tab) => copyCookies(asker, tab))
  const responses = await Promise.all(
    app.mails.flatMap((mail) => tabs.map((agent) => agent.send(pathOf(mail)))),
  )
  return compareCount(app, 'browsers signed in', responses.filter(isIn).length, 1)
}

async function followManyLinks(race: Race): Promise<string | undefined> {
  const app = openMail(race)
  const agents = browsers(app)
  for (const agent of agents) await askForLink(agent, 'ada@example.com')
  await Promise.all(app.mails.map((mail, n) => (agents[n] ?? app.agent()).send(pathOf(mail))))
  return compareCount(app, 'users', await countUsers(agents), 1)
}

async function signInFirst(race: Race): Promise<string | undefined> {
  const app = openOAuth(race)
  const agents = browsers(app)
  const asked = await Promise.all(agents.map((agent) => visitProvider(app, agent)))
  const responses = await Promise.all(
    agents.map((agent, n) => agent.send(`/auth/callback/idp?${asked[n]?.parameters}`)),
  )
  return (
    compareCount(app, 'browsers signed in', responses.filter(isIn).length, atOnce) ??
    compareCount(app, 'users', await countUsers(agents), 1)
  )
}

async function signOutBesideExtensions(race: Race): Promise<string | undefined> {
  const app = openOAuth(race, { session: { maxAge: 1000, updateAge: 0 } })
  const agent = app.agent()
  await signIn(app, agent)
  const token = agent.cookies()[sessionCookie] ?? ''
  const csrfToken = await csrfOf(agent)
  app.clock.advance(5)
  const tabs = browsers(app).map((tab) => copyCookies(agent, tab))
  // The sign-out starts a little later in each round, so that it interleaves with different statements of the extensions.
  const reads = tabs.map((tab) => tab.send('/auth/session'))
  await wait(race.round)
  const left = await agent.send('/auth/signout', { form: { csrfToken } })
  await Promise.all(reads)
  return (
    compareCount(app, 'sign-outs', Number(isIn(left)), 1) ??
    compareCount(app, 'sessions left', Number((await race.adapter.getSessionAndUser?.(token)) !== null), 0)
  )
}
