import { describe, expect, it } from 'vitest'
import type { AuthConfig } from '../../src/types/config.ts'
import { openApp, origin, signIn } from '../support/app.ts'
import { askDuring, authOptions, type Event } from './framework.ts'

type Guard = (event: Event) => Promise<Response | undefined>

/** The example's files are compiled with packages that only the example has. */
const load = (name: string) =>
  import(new URL(`../../docs/examples/solid-start/src/${name}`, import.meta.url).pathname) as Promise<unknown>

const { findUser, requireUser } = (await load('user.ts')) as {
  readonly findUser: () => Promise<unknown>
  readonly requireUser: () => Promise<unknown>
}
const middleware = (await load('middleware.ts')) as {
  readonly default: { readonly onRequest: readonly [Guard] }
}
const [guard] = middleware.default.onRequest

/** A signed-in user, and the events of their requests. */
async function open(callbacks: AuthConfig['callbacks'] = {}) {
  const app = openApp({ config: { callbacks } })
  Object.assign(authOptions, app.config)
  const agent = app.agent()
  await signIn(app, agent)
  const cookie = Object.entries(agent.cookies()).map(([name, value]) => `${name}=${value}`)
  const eventOf = (path: string, headers: Record<string, string>): Event => ({
    request: new Request(origin + path, { headers }),
    response: { headers: new Headers() },
  })
  return {
    anonymous: (path = '/members') => eventOf(path, {}),
    known: (path = '/members') => eventOf(path, { cookie: cookie.join('; ') }),
  }
}

/** A session without a user. */
const nameless: AuthConfig['callbacks'] = { session: ({ session: { expires } }) => ({ expires }) }

const whereTo = (answer: unknown) => (answer instanceof Response ? answer.headers.get('location') : undefined)
const cookiesOf = ({ response }: Event) => response.headers.getSetCookie().join()

describe('the protected routes of the SolidStart example', () => {
  it('INT-018 a server page redirects to the root without a session, or with one without a user', async () => {
    const { anonymous } = await open()
    expect(whereTo(await askDuring(anonymous(), requireUser))).toBe('/')
    const { known } = await open(nameless)
    expect(whereTo(await askDuring(known(), requireUser))).toBe('/')
    expect(await askDuring(known(), findUser)).toBeNull()
  })

  it('INT-019 a server page receives the signed-in user', async () => {
    const { known } = await open()
    const event = known()
    expect(await askDuring(event, requireUser)).toMatchObject({ name: 'Ada' })
    expect(cookiesOf(event)).toContain('session-token=')
    expect(await askDuring(known(), findUser)).toMatchObject({ name: 'Ada' })
  })

  it('INT-020 INT-022 the middleware redirects from a listed path to the root without a session, or with one without a user', async () => {
    const { anonymous } = await open()
    expect(whereTo(await guard(anonymous('/guarded')))).toBe('/')
    const { known } = await open(nameless)
    expect(whereTo(await guard(known('/guarded')))).toBe('/')
  })

  it('INT-021 INT-022 the middleware forwards every other request', async () => {
    const { anonymous, known } = await open()
    expect(await guard(anonymous('/'))).toBeUndefined()
    expect(await guard(anonymous('/members'))).toBeUndefined()
    const event = known('/guarded')
    expect(await guard(event)).toBeUndefined()
    expect(cookiesOf(event)).toContain('session-token=')
  })
})
