import { setTimeout as wait } from 'node:timers/promises'
import { inspect } from 'node:util'
import type { Adapter } from '../../../src/types/adapter.ts'
import { csrfOf, openApp, origin, sessionOf, signIn, visitProvider, type App } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { copyCookies } from '../../support/follow-link.ts'
import { askForLink, openMailApp, pathOf } from '../../support/mail.ts'
import { sessionCookie } from '../../support/session-cookie.ts'

/** Races of requests, each with what has to come of it. */
export const races = {
  'one mailed link signs in one browser': followOneLink,
  'links to one new address create one user': followManyLinks,
  'first sign-ins of one account create one user': signInFirst,
  'a sign-out is final': signOutBesideExtensions,
} as const
export type RaceName = keyof typeof races

/** An adapter whose store is emptied before each race. */
export interface RaceSubject {
  readonly adapter: Adapter
  readonly clear: () => unknown
}

/** How often a race is run. A race that goes wrong once does not hold. */
const rounds = 5
const atOnce = 6

/**
 * Runs a race on an adapter, through the library.
 * @param apart serves each browser as a process of its own would, so that the store alone decides
 * @returns what went wrong, if anything did
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
/** The client is told whose session it is. */
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

/** @returns the difference, with what the library logged */
function compareCount(app: App, what: string, found: number, expected: number): string | undefined {
  if (found === expected) return undefined
  return `${what}: expected ${expected}, found ${found} ${app.errors.map((error) => inspect(error.cause ?? error)).join('; ')}`
}

/** How many users the browsers that came in are signed in as. */
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
  // The sign-out comes a little later each round, so that it meets other statements of the extensions.
  const reads = tabs.map((tab) => tab.send('/auth/session'))
  await wait(race.round)
  const left = await agent.send('/auth/signout', { form: { csrfToken } })
  await Promise.all(reads)
  return (
    compareCount(app, 'sign-outs', Number(isIn(left)), 1) ??
    compareCount(app, 'sessions left', Number((await race.adapter.getSessionAndUser?.(token)) !== null), 0)
  )
}
