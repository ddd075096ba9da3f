import { expect, it, vi } from 'vitest'
import { URI } from 'otpauth'
import { openAuthenticator, type Options } from '../../fuzz/world/webauthn/authenticator.ts'
import { readForms } from '../../fuzz/world/forms.ts'
import { csrfOf, sessionOf } from '../support/app.ts'
import { openAgent, type Agent } from '../support/browser-agent.ts'
import { comeBack, startSignIn, useGitHub } from './github.ts'

const origin = 'http://localhost'

useGitHub()

/** Enrols an authenticator app. @returns the page that follows */
async function enrol(agent: Agent): Promise<string> {
  const html = await (await agent.send('/auth/factor-enrolment')).text()
  const totp = URI.parse((/otpauth:[^"]+/.exec(html)?.[0] ?? '').replaceAll('&amp;', '&'))
  const [form] = readForms(html)
  const code = 'period' in totp ? totp.generate() : ''
  const done = await agent.send('/auth/factor-enrolment', { form: { ...form?.fields, code } })
  return done.text()
}

it('SF-01 SF-14 the program of the second factor guide enrols an app, and demands its code', async () => {
  // Read while the environment has the client.
  const { auth, showPayments } = await import('../../docs/examples/second-factor/auth.ts')
  const agent = openAgent(origin, auth.handler)
  const pay = () => {
    const cookie = Object.entries(agent.cookies())
      .map(([name, value]) => `${name}=${value}`)
      .join('; ')
    return showPayments(new Request(`${origin}/pay`, { headers: { cookie, accept: 'text/html' } }))
  }
  await comeBack(agent, 'github', await startSignIn(agent, 'github'))
  expect(await sessionOf(agent)).toMatchObject({ amr: ['fed'] })
  expect((await pay()).headers.get('location')).toBe(`${origin}/auth/factor?callbackUrl=%2Fpay`)
  expect(await enrol(agent)).toContain('recovery codes')
  expect((await pay()).status).toBe(200)
})

it('SF-17 the program with passkeys accepts one in place of a code', async () => {
  // The programs share a store.
  vi.resetModules()
  const { auth } = await import('../../docs/examples/second-factor/passkeys.ts')
  const device = openAuthenticator(origin)
  const ask = async (agent: Agent, path: string) =>
    ((await (await agent.send(path)).json()) as { options: Options }).options
  const owner = openAgent(origin, auth.handler)
  await comeBack(owner, 'github', await startSignIn(owner, 'github'))
  const added = JSON.stringify(
    device.create(await ask(owner, '/auth/webauthn-options/passkey?action=register')),
  )
  await owner.send('/auth/callback/passkey', {
    form: { csrfToken: await csrfOf(owner), action: 'register', data: added },
  })
  expect(await enrol(owner)).toContain('recovery codes')
  const agent = openAgent(origin, auth.handler)
  const response = await comeBack(agent, 'github', await startSignIn(agent, 'github'))
  expect(response.headers.get('location')).toBe(`${origin}/auth/factor`)
  expect(await (await agent.send('/auth/factor')).text()).toContain('Use a passkey instead')
  const data = JSON.stringify(device.get(await ask(agent, '/auth/factor?action=authenticate')))
  const form = { csrfToken: await csrfOf(agent), action: 'authenticate', data }
  expect((await agent.send('/auth/factor', { form })).status).toBe(302)
  expect(await sessionOf(agent)).toMatchObject({ amr: ['fed', 'pop', 'mfa'] })
})
