import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Adapter } from '../../src/types/adapter.ts'
import { openApp, signIn } from '../support/app.ts'

const requests = new AsyncLocalStorage<string>()

/** Resolves each read of a session like a driver that serves all requests from one connection. */
function answerLate(adapter: Adapter): Adapter {
  const find = adapter.getSessionAndUser?.bind(adapter)
  return {
    ...adapter,
    async getSessionAndUser(sessionToken) {
      await setImmediate()
      return (await find?.(sessionToken)) ?? null
    },
  }
}

it('callbacks and events run in the context of their request, also after the store made it wait', async () => {
  const seen: (string | undefined)[] = []
  const note = () => void seen.push(requests.getStore())
  const app = openApp({
    strategy: 'database',
    wrap: answerLate,
    config: {
      callbacks: { session: ({ session }) => (note(), session) },
      events: { session: note },
    },
  })
  const agent = app.agent()
  await signIn(app, agent)
  seen.length = 0
  await Promise.all(['one', 'two'].map((name) => requests.run(name, () => agent.send('/auth/session'))))
  expect(seen.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual(['one', 'one', 'two', 'two'])
})
