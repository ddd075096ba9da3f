import { expect } from 'vitest'
import { defaultCallbacks } from '../../src/config/default-callbacks.ts'
import { systemPlatform } from '../../src/platform/clock.ts'
import { platform } from '../../src/types/symbols.ts'
import { locationOf } from '../flows/expectations.ts'
import { csrfOf, openApp, origin, sessionOf, signIn, visitProvider, type App } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'
import { createPlan, type Plan } from '../../fuzz/world/fault-plan.ts'
import { askForLink, mailProvider, pathOf, type Mail } from '../support/mail.ts'
import { askOptions, postAnswer, register, createPerson, withPasskeys } from '../support/webauthn/app.ts'

export const strategies = ['database', 'jwt-stored'] as const
export type Strategy = (typeof strategies)[number]

/** All functions that the library calls, under a plan of faults. */
export interface Stage {
  readonly app: App
  readonly plan: Plan
  readonly mails: Mail[]
}

/** A prepared request. */
export interface Staged {
  readonly agent: Agent
  readonly go: () => Promise<Response>
  /** Signs in as the same user in a new browser, in the way of the act. */
  readonly again: () => Promise<Agent>
}

export interface Act {
  readonly name: string
  /** The kind of response: a session, a step towards one, the content of a session, or its end. */
  readonly kind: 'admits' | 'prepares' | 'reads' | 'leaves'
  /** The user who also signs in, if a store does not return the session. */
  readonly besides?: string
  readonly prepare: (stage: Stage) => Promise<Staged>
}

export function openStage(strategy: Strategy): Stage {
  const plan = createPlan()
  const mails: Mail[] = []
  const send: typeof fetch = async (input, init) =>
    (await plan.around('fetch', () => app.idp.fetch(input, init))) as Response
  const options = withPasskeys({
    strategy,
    wrap: (store) => plan.watch('store', store),
    config: {
      session: { maxAge: 3000, updateAge: 0 },
      logger: plan.watch('logger', {
        error: (error: Error) => void app.errors.push(error),
        warn() {},
        debug() {},
      }),
      callbacks: plan.watch('callback', { ...defaultCallbacks, redirect: ({ url }: { url: string }) => url }),
      [platform]: {
        fetch: send,
        randomBytes: (length) =>
          plan.around('random', () => systemPlatform.randomBytes(length)) as Uint8Array,
      },
    },
    providers: [
      mailProvider(
        mails,
        plan.watch('mail', { sendVerificationRequest: (mail: Mail) => void mails.push(mail) }),
      ),
      {
        id: 'credentials',
        name: 'Credentials',
        type: 'credentials',
        credentials: {},
        ...plan.watch('callback', { authorize: () => app.rows.users()[0] ?? null }),
      },
    ],
  })
  const providers = (options.providers ?? []).map((provider) =>
    'issuer' in provider
      ? {
          ...provider,
          ...plan.watch('callback', {
            profile: ({ sub, name, email }: Record<string, string>) => ({ id: sub, name, email }),
          }),
          // `account` is synchronous, by its type.
          ...plan.watch('prompt', { account: (tokens: object) => tokens }),
        }
      : provider,
  ) as typeof options.providers
  const app = openApp({ ...options, providers })
  if (app.config.events) app.config.events = plan.watch('event', app.config.events)
  return { app, plan, mails }
}

/** Signs in at the provider, in a new browser. */
async function signInNewBrowser({ app }: Stage): Promise<Agent> {
  const agent = app.agent()
  await signIn(app, agent)
  return agent
}

async function prepareCallback({ app }: Stage, agent: Agent) {
  const { parameters } = await visitProvider(app, agent)
  return () => agent.send(`/auth/callback/idp?${parameters}`)
}

async function mailTo(stage: Stage, agent: Agent): Promise<string> {
  stage.mails.length = 0
  await askForLink(agent, 'ada@example.com')
  const [mail] = stage.mails
  if (!mail) throw new Error('no e-mail was sent')
  return pathOf(mail)
}

async function followLink(stage: Stage): Promise<Agent> {
  const agent = stage.app.agent()
  await agent.send(await mailTo(stage, agent))
  return agent
}

async function prepareLink(stage: Stage): Promise<Staged> {
  const agent = stage.app.agent()
  const path = await mailTo(stage, agent)
  return { agent, go: () => agent.send(path), again: () => followLink(stage) }
}

async function prepareSession(stage: Stage, request: (agent: Agent, csrfToken: string) => Promise<Response>) {
  const agent = await signInNewBrowser(stage)
  const csrfToken = await csrfOf(agent)
  stage.app.clock.advance(5)
  return { agent, go: () => request(agent, csrfToken), again: () => signInNewBrowser(stage) }
}

/** Requests of each flow. */
export const acts: readonly Act[] = [
  {
    name: 'starting a sign-in',
    kind: 'prepares',
    async prepare(stage) {
      const agent = stage.app.agent()
      const csrfToken = await csrfOf(agent)
      const go = () => agent.send('/auth/signin/idp', { form: { csrfToken } })
      return { agent, go, again: () => signInNewBrowser(stage) }
    },
  },
  {
    name: 'starting a sign-in while signed in',
    kind: 'prepares',
    prepare: (stage) =>
      prepareSession(stage, (agent, csrfToken) => agent.send('/auth/signin/idp', { form: { csrfToken } })),
  },
  {
    name: 'a first sign-in',
    kind: 'admits',
    async prepare(stage) {
      const agent = stage.app.agent()
      return { agent, go: await prepareCallback(stage, agent), again: () => signInNewBrowser(stage) }
    },
  },
  {
    name: 'a repeated sign-in',
    kind: 'admits',
    async prepare(stage) {
      await signInNewBrowser(stage)
      const agent = stage.app.agent()
      return { agent, go: await prepareCallback(stage, agent), again: () => signInNewBrowser(stage) }
    },
  },
  {
    name: 'a sign-in during a session',
    kind: 'admits',
    async prepare(stage) {
      const agent = await signInNewBrowser(stage)
      return { agent, go: await prepareCallback(stage, agent), again: () => signInNewBrowser(stage) }
    },
  },
  {
    name: 'linking another account',
    kind: 'admits',
    besides: 'bob@example.com',
    async prepare(stage) {
      const agent = await signInNewBrowser(stage)
      stage.app.idp.choose('bob')
      const go = await prepareCallback(stage, agent)
      stage.app.idp.choose('ada')
      return { agent, go, again: () => signInNewBrowser(stage) }
    },
  },
  {
    name: 'requesting a link',
    kind: 'prepares',
    async prepare(stage) {
      const agent = stage.app.agent()
      const csrfToken = await csrfOf(agent)
      const form = { csrfToken, email: 'ada@example.com' }
      return { agent, go: () => agent.send('/auth/signin/mail', { form }), again: () => followLink(stage) }
    },
  },
  { name: 'following a first link', kind: 'admits', prepare: prepareLink },
  {
    name: 'following another link',
    kind: 'admits',
    async prepare(stage) {
      await followLink(stage)
      return prepareLink(stage)
    },
  },
  {
    name: 'credentials',
    kind: 'admits',
    async prepare(stage) {
      await signInNewBrowser(stage)
      const enter = async (agent: Agent) => {
        const form = { csrfToken: await csrfOf(agent) }
        return () => agent.send('/auth/callback/credentials', { form })
      }
      const agent = stage.app.agent()
      const again = async () => {
        const other = stage.app.agent()
        await (
          await enter(other)
        )()
        return other
      }
      return { agent, go: await enter(agent), again }
    },
  },
  {
    name: 'reading the session',
    kind: 'reads',
    prepare: (stage) => prepareSession(stage, (agent) => agent.send('/auth/session')),
  },
  {
    name: 'updating the session',
    kind: 'reads',
    prepare: (stage) =>
      prepareSession(stage, (agent, csrfToken) =>
        agent.send('/auth/session', { json: { csrfToken, data: 'news' } }),
      ),
  },
  {
    name: 'signing out',
    kind: 'leaves',
    prepare: (stage) =>
      prepareSession(stage, (agent, csrfToken) => agent.send('/auth/signout', { form: { csrfToken } })),
  },
  {
    name: 'requesting passkey options',
    kind: 'prepares',
    async prepare(stage) {
      const { agent, device } = await register(stage.app)
      const again = () => signInByPasskey(stage, device)
      return { agent, go: () => agent.send('/auth/webauthn-options/passkey?action=register'), again }
    },
  },
  {
    name: 'registering a passkey',
    kind: 'admits',
    async prepare(stage) {
      const { agent, device } = createPerson(stage.app)
      const { action = '', options } = await askOptions(agent, {
        action: 'register',
        email: 'ada@example.com',
      })
      const answer = device.create(options)
      const csrfToken = await csrfOf(agent)
      const form = { csrfToken, action, data: JSON.stringify(answer) }
      return {
        agent,
        go: () => agent.send('/auth/callback/passkey', { form }),
        // It may be stored, although the sign-in failed.
        again: async () => {
          const returning = await signInByPasskey(stage, device)
          return (await userOf(returning)) === null ? (await register(stage.app)).agent : returning
        },
      }
    },
  },
  {
    name: 'signing in with a passkey',
    kind: 'admits',
    async prepare(stage) {
      const { device } = await register(stage.app)
      const { agent } = createPerson(stage.app, device)
      const { action = '', options } = await askOptions(agent, { action: 'authenticate' })
      const csrfToken = await csrfOf(agent)
      const form = { csrfToken, action, data: JSON.stringify(device.get(options)) }
      return {
        agent,
        go: () => agent.send('/auth/callback/passkey', { form }),
        again: () => signInByPasskey(stage, device),
      }
    },
  },
]

async function signInByPasskey(
  stage: Stage,
  device: ReturnType<typeof createPerson>['device'],
): Promise<Agent> {
  const { agent } = createPerson(stage.app, device)
  const { action = '', options } = await askOptions(agent, { action: 'authenticate' })
  await postAnswer(agent, action, device.get(options))
  return agent
}

/** Whether the response reports success. */
export function succeeds({ kind }: Act, response: Response): boolean {
  if (response.status === 200) return kind === 'reads' || kind === 'prepares'
  if (response.status !== 302) return false
  const { pathname, searchParams, origin: host } = locationOf(response)
  return !searchParams.has('error') && !(host === origin && pathname.startsWith('/auth/error'))
}

/** The session's user, or null without a session. */
export async function userOf(agent: Agent): Promise<unknown> {
  const session = (await sessionOf(agent)) as { user?: { email?: unknown; name?: unknown } } | null
  // A passkey proves no address, so the typed one is the user's name.
  return session?.user?.email ?? session?.user?.name ?? null
}

/** Every row has an owner, and addresses and accounts are unique. */
export function expectSound({ app: { rows } }: Stage, what: string): void {
  const users = rows.users()
  const ids = new Set(users.map(({ id }) => id))
  const homeless = [...rows.accounts(), ...rows.sessions()].filter(({ userId }) => !ids.has(userId))
  expect(homeless, what).toEqual([])
  expect(new Set(users.map(({ email }) => email)).size, what).toBe(users.length)
}
