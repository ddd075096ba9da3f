import { expect, it } from 'vitest'
import { URI } from 'otpauth'
import { readForms } from '../../fuzz/world/forms.ts'
import { sessionOf } from '../support/app.ts'
import { openAgent } from '../support/browser-agent.ts'
import { comeBack, startSignIn, useGitHub } from './github.ts'

const origin = 'http://localhost'

useGitHub()

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
  const html = await (await agent.send('/auth/factor-enrolment')).text()
  const totp = URI.parse((/otpauth:[^"]+/.exec(html)?.[0] ?? '').replaceAll('&amp;', '&'))
  const [form] = readForms(html)
  const code = 'period' in totp ? totp.generate() : ''
  const done = await agent.send('/auth/factor-enrolment', { form: { ...form?.fields, code } })
  expect(await done.text()).toContain('recovery codes')
  expect((await pay()).status).toBe(200)
})
