import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { mail } from '../../docs/examples/email/own-sender.ts'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import { sessionOf } from '../support/app.ts'
import { openAgent } from '../support/browser-agent.ts'
import { askForLink } from '../support/mail.ts'
import { openPage } from '../client/tabs.ts'
import { openSmtp } from '../support/smtp.ts'
import { signInWithGitHub, stubClient, useGitHub } from './github.ts'
import { readForms } from '../../fuzz/world/forms.ts'

const origin = 'http://localhost'

describe('the programs of the e-mail guide', () => {
  beforeEach(stubClient)
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.unstubAllGlobals()
  })

  it('send by SMTP, and wait for a click', async () => {
    const smtp = await openSmtp()
    vi.stubEnv('EMAIL_SERVER', smtp.url)
    const { auth } = await import('../../docs/examples/email/smtp.ts')
    const agent = openAgent(origin, auth.handler)
    await askForLink(agent, 'ada@example.com', {}, 'nodemailer')
    const link = /http:\/\/localhost\/\S+/.exec(smtp.mails[0]?.mail.text ?? '')?.[0] ?? ''
    const page = await (await agent.send(link)).text()
    expect(page.toLowerCase()).toContain('method="post"')
    expect(await sessionOf(agent)).toBeNull()
    const fields = [...page.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ])
    await agent.send('/auth/callback/nodemailer', { form: new URLSearchParams(fields) })
    expect(await sessionOf(agent)).toMatchObject({ user: { email: 'ada@example.com' } })
    await smtp.close()
  })

  it('send through a custom service, and report when it rejects the message', async () => {
    const texts: string[] = []
    let status = 200
    vi.stubGlobal('fetch', (_url: string, { body }: { body: string }) => {
      texts.push((JSON.parse(body) as { text: string }).text)
      return Promise.resolve(new Response(null, { status }))
    })
    const logger = { error() {} }
    const { handler } = createAuth({ adapter: memoryAdapter(), providers: [mail], logger })
    const agent = openAgent(origin, handler)
    await askForLink(agent, 'ada@example.com')
    await agent.send(/http:\S+/.exec(texts[0] ?? '')?.[0] ?? '')
    expect(await sessionOf(agent)).toMatchObject({ user: { email: 'ada@example.com' } })

    status = 500
    const other = openAgent(origin, handler)
    const refused = await askForLink(other, 'bob@example.com')
    expect(refused.headers.get('location')).toContain('error=EmailSignInError')
    await other.send(/http:\S+/.exec(texts[1] ?? '')?.[0] ?? '')
    expect(await sessionOf(other)).toBeNull()
  })

  it('mail a code, and sign in with a form of your own', async () => {
    const smtp = await openSmtp()
    vi.stubEnv('EMAIL_SERVER', smtp.url)
    const { auth } = await import('../../docs/examples/email/codes.ts')
    const agent = openAgent(origin, auth.handler)
    openPage(agent)
    const { requestCode, enterCode } = await import('../../docs/examples/email/code-form.ts')
    expect(await requestCode('ada@example.com')).toBe(true)
    const [, code = ''] = /^(\d{6})$/m.exec(smtp.mails[0]?.mail.text ?? '') ?? []
    const wrong = code === '000000' ? '000001' : '000000'
    expect(await enterCode(wrong)).toEqual({ message: 'That code does not match. Attempts left: 4.' })
    expect(await enterCode(`${code.slice(0, 3)} ${code.slice(3)}`)).toEqual({ url: `${origin}/welcome` })
    expect(await sessionOf(agent)).toMatchObject({ user: { email: 'ada@example.com' } })
    expect(await enterCode(code)).toEqual({
      message: 'This code is no longer valid. Request a new one.',
    })
    await smtp.close()
  })
})

describe('the change of an address in the e-mail guide', () => {
  useGitHub()

  it('EC-03 EC-08 mails a link to the new address, and a notice to the earlier one', async () => {
    const mails: { readonly to: string; readonly text: string }[] = []
    const github = globalThis.fetch
    vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) => {
      if (input !== 'https://mail.example/send') return github(input, init)
      mails.push(JSON.parse(init?.body as string) as (typeof mails)[number])
      return Promise.resolve(new Response())
    })
    const { auth } = await import('../../docs/examples/email/change-address.ts')
    const agent = openAgent(origin, auth.handler)
    await signInWithGitHub(agent)
    const page = await (await agent.send('/auth/account')).text()
    const form = readForms(page).find(({ action }) => action === `${origin}/auth/email-change`)
    await agent.send('/auth/email-change', { form: { ...form?.fields, email: 'new@example.com' } })
    const [link = ''] = /http:\S+/.exec(mails[0]?.text ?? '') ?? []
    const [confirmation] = readForms(await (await agent.send(link)).text())
    expect(await sessionOf(agent)).toMatchObject({ user: { email: 'ada@example.com' } })
    await agent.send('/auth/email-change-confirm', { form: { ...confirmation?.fields } })
    expect(await sessionOf(agent)).toMatchObject({ user: { email: 'new@example.com' } })
    expect(mails.map(({ to }) => to)).toEqual(['new@example.com', 'ada@example.com'])
  })
})
