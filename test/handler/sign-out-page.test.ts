import { expect, it } from 'vitest'
import { openApp, origin, signIn, signOut } from '../support/app.ts'

const link = `/auth/signout?callbackUrl=${encodeURIComponent('/bye')}`

it('ECO-002 the built-in page leads where the link to it said', async () => {
  const app = openApp()
  const agent = app.agent()
  await signIn(app, agent, 'idp', { callbackUrl: `${origin}/home` })
  const cookies = agent.cookies()
  const page = await (await agent.send(link)).text()
  const callbackUrl = /name="callbackUrl" value="([^"]*)"/.exec(page)?.[1] ?? ''
  expect(callbackUrl).toBe(`${origin}/bye`)
  // Reading a page changes nothing.
  expect(agent.cookies()).toEqual(cookies)
  expect((await signOut(agent, { callbackUrl })).headers.get('location')).toBe(`${origin}/bye`)
})

it('ECO-002 the page of an application need not know where the link to it led', async () => {
  const agent = openApp({ config: { pages: { signOut: '/leave' } } }).agent()
  expect((await agent.send(link)).headers.get('location')).toBe(`${origin}/leave`)
  expect((await signOut(agent)).headers.get('location')).toBe(`${origin}/bye`)
})

it('ECO-002 a link that says nothing leaves what was remembered, and one to elsewhere leads nowhere', async () => {
  const app = openApp()
  const agent = app.agent()
  await signIn(app, agent, 'idp', { callbackUrl: `${origin}/home` })
  const page = await agent.send('/auth/signout')
  expect(page.headers.getSetCookie().filter((line) => line.includes('callback-url'))).toEqual([])
  expect(await page.text()).not.toContain('name="callbackUrl"')
  const other = await (await agent.send('/auth/signout?callbackUrl=https://evil.example/')).text()
  expect(other).toContain(`name="callbackUrl" value="${origin}"`)
})
