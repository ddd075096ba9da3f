import { expect, it } from 'vitest'
import { openApp, origin, signIn, signOut } from '../support/app.ts'

const link = `/auth/signout?callbackUrl=${encodeURIComponent('/bye')}`

it('ECO-002 the built-in page redirects to the callbackUrl of the link to it', async () => {
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

it('ECO-002 a custom page need not pass on the callbackUrl of the link to it', async () => {
  const agent = openApp({ config: { pages: { signOut: '/leave' } } }).agent()
  expect((await agent.send(link)).headers.get('location')).toBe(`${origin}/leave`)
  expect((await signOut(agent)).headers.get('location')).toBe(`${origin}/bye`)
})

it('ECO-002 keeps the stored callback URL for a link without one, and ignores one to another origin', async () => {
  const app = openApp()
  const agent = app.agent()
  await signIn(app, agent, 'idp', { callbackUrl: `${origin}/home` })
  const page = await agent.send('/auth/signout')
  expect(page.headers.getSetCookie().filter((line) => line.includes('callback-url'))).toEqual([])
  expect(await page.text()).not.toContain('name="callbackUrl"')
  const other = await (await agent.send('/auth/signout?callbackUrl=https://evil.example/')).text()
  expect(other).toContain(`name="callbackUrl" value="${origin}"`)
})
