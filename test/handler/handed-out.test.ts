import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AuthConfig } from '../../src/types/config.ts'
import type { Provider } from '../../src/types/provider.ts'
import { type App, type AppOptions, issuer, openApp, signIn } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'
import { followLink } from '../support/follow-link.ts'
import { askForLink, type Mail, pathOf } from '../support/mail.ts'

/** Collects every object in a value that somebody could change. */
function collect(value: unknown, into: Set<object>): void {
  if (typeof value !== 'object' || value === null || into.has(value)) return
  if (!Object.isFrozen(value)) into.add(value)
  if (value instanceof Map || value instanceof Set) for (const each of value) collect(each, into)
  for (const key of Reflect.ownKeys(value)) {
    const member = Object.getOwnPropertyDescriptor(value, key)
    if (member && 'value' in member) collect(member.value, into)
  }
}

/** Replaces each function in a value with one that reports its arguments and its `this`. */
function watch<T>(value: T, report: (args: unknown[]) => void): T {
  if (typeof value === 'function')
    return new Proxy(value, {
      apply(target, self, args: unknown[]) {
        report([self, ...args])
        return Reflect.apply(target, self, args) as unknown
      },
    })
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, watch(each, report)])) as T
}

/** Uses every route that calls the application's functions. */
async function visit(app: App, agent: Agent, mails: Mail[]): Promise<Response[]> {
  const answers = [await agent.send('/auth/session'), await signIn(app, agent)]
  for (const page of [
    'session',
    'csrf',
    'providers',
    'signin',
    'signout',
    'error',
    'verify-request',
    'nowhere',
  ])
    answers.push(await agent.send(`/auth/${page}`))
  const { csrfToken } = (await (await agent.send('/auth/csrf')).json()) as { csrfToken: string }
  answers.push(await agent.send('/auth/session', { json: { csrfToken, data: { note: 'x' } } }))
  answers.push(await agent.send('/auth/signout', { form: { csrfToken } }))
  answers.push(await askForLink(agent, 'ada@example.com'))
  const mail = mails.at(-1)
  if (!mail) throw new Error('no mail was sent')
  answers.push(await followLink(agent, pathOf(mail)))
  answers.push(await agent.send('/auth/signin/idp', { form: { csrfToken: 'wrong' } }))
  return answers
}

describe('an object that the library hands out', () => {
  afterEach(() => void vi.unstubAllGlobals())

  it.each<NonNullable<AppOptions['strategy']>>(['database', 'jwt-stored'])(
    'CC-12 is not handed out again with a later request, with %s sessions',
    async (strategy) => {
      const given = new Set<object>()
      const report = (args: unknown[]) => collect(args, given)
      const mails: Mail[] = []
      const providers = [
        {
          id: 'idp',
          name: 'Idp',
          type: 'oidc',
          issuer,
          clientId: 'client',
          clientSecret: 'client-secret',
          token: { conform: async (response: Response) => response },
          profile: ({ sub, name, email }: Record<string, unknown>) => ({ id: sub, name, email }),
        },
        {
          id: 'mail',
          name: 'Mail',
          type: 'email',
          sendVerificationRequest: (mail: Mail) => void mails.push(mail),
          generateVerificationToken: () => 'a token of the application, long enough',
        },
      ]
      const config: Partial<AuthConfig> = {
        callbacks: {
          signIn: () => true,
          redirect: ({ url }) => url,
          session: ({ session }) => session,
          jwt: ({ token }) => token,
          rateLimit: () => true,
        },
        theme: { brandColor: '#123456', logo: '/logo.png' },
        pages: {},
      }
      const app = openApp({
        strategy,
        wrap: (adapter) => watch(adapter, report),
        providers: providers.map((provider) => watch(provider, report)) as unknown as Provider[],
        config: watch(config, report),
      })
      for (const name of ['Response', 'Request', 'Headers', 'URLSearchParams'] as const)
        vi.stubGlobal(
          name,
          new Proxy(globalThis[name], {
            construct(target, args, created) {
              report(args)
              return Reflect.construct(target, args, created) as object
            },
          }),
        )
      const seen: ReadonlySet<object>[] = []
      for (const agent of [app.agent(), app.agent(), app.agent()]) {
        given.clear()
        mails.length = 0
        app.debugs.length = app.events.length = app.errors.length = 0
        for (const { headers } of await visit(app, agent, mails)) collect(headers, given)
        collect([app.debugs, app.events, app.errors], given)
        seen.push(new Set(given))
      }
      const own = new Set<object>()
      collect([config, providers, app.config, app.debugs, app.events, app.errors], own)
      const [, second = new Set(), third = new Set()] = seen
      const again = [...second].filter((each) => third.has(each) && !own.has(each))
      expect(second.size).toBeGreaterThan(100)
      expect(again.map((each) => [each.constructor?.name, Object.keys(each)])).toEqual([])
    },
  )
})
