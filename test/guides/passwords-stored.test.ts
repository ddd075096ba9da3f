import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { readForms } from '../../fuzz/world/forms.ts'
import { auth } from '../../docs/examples/passwords/site.ts'
import { csrfOf, sessionOf } from '../support/app.ts'
import { openAgent } from '../support/browser-agent.ts'
import { stubClient } from './github.ts'

const origin = 'http://localhost'

beforeEach(stubClient)
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

it('PW-07 PW-09 PW-11 the program of the passwords guide registers a user, and resets the password', async () => {
  const mails: { to: string; subject: string; text: string }[] = []
  const asked: string[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (url.startsWith('https://api.pwnedpasswords.com/range/')) {
      asked.push(url)
      return new Response('')
    }
    expect(url).toBe('https://mail.example/send')
    mails.push((await new Request(url, init).json()) as (typeof mails)[number])
    return new Response()
  })
  for (const subject of ['Welcome to Example', 'Set a new password']) {
    const agent = openAgent(origin, auth.handler)
    const form = { csrfToken: await csrfOf(agent), email: 'ada@example.com' }
    await agent.send('/auth/password/password', { form })
    expect(mails.at(-1)).toMatchObject({ to: 'ada@example.com', subject })
    const [url = ''] = /http\S+/.exec(mails.at(-1)?.text ?? '') ?? []
    const [fields] = readForms(await (await agent.send(url.slice(origin.length))).text())
    const password = `${subject} with care`
    await agent.send('/auth/password-reset/password', { form: { ...fields?.fields, password } })
    expect(await sessionOf(agent)).toMatchObject({ user: { email: 'ada@example.com' } })
    const other = openAgent(origin, auth.handler)
    const entered = { csrfToken: await csrfOf(other), email: 'ada@example.com', password }
    await other.send('/auth/callback/password', { form: entered })
    expect(await sessionOf(other)).toMatchObject({ user: {} })
  }
  expect(asked).toHaveLength(2)
})
