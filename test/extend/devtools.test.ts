import { expect, it } from 'vitest'
import { terms } from '../../docs/examples/features/terms.ts'
import { createDevtools } from '../../src/devtools.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import { csrfOf, openApp, origin, signIn } from '../support/app.ts'
import { openAgent } from '../support/browser-agent.ts'

it('devtools draw the flows of features, and the gates in those of the library', async () => {
  const devtools = createDevtools({ hosts: ['app.test'] })
  const features = [terms({ version: '1', url: '/terms' })]
  const app = openApp({ strategy: 'database', config: { features } })
  const agent = openAgent(origin, createAuth(devtools.watch(app.config)).handler)
  await signIn(app, agent)
  await agent.send('/auth/terms', { form: { csrfToken: await csrfOf(agent), accept: 'yes' } })
  const read = async (path: string) => (await devtools.handle(new Request(origin + path))).text()
  const list = await read('/devtools')
  expect(list).toContain('The browser has a new session')
  expect(list).not.toContain('undefined')
  const [held] = devtools.runs().filter(({ state }) => state === 'held')
  const page = await read(`/devtools/runs/${held?.id}`)
  expect(page).toContain('Check that the user has accepted the terms')
  const [accepted] = devtools.runs().filter(({ flow }) => flow === 'terms')
  expect(await read(`/devtools/runs/${accepted?.id}`)).toContain('Read whether the user accepts')
})
