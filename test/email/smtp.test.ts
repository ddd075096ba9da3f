import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { askForLink } from '../support/mail.ts'
import { openSmtp, type SmtpSink } from '../support/smtp.ts'

let smtp: SmtpSink
let library: Awaited<ReturnType<typeof load>>
beforeAll(async () => {
  smtp = await openSmtp((address) => address.startsWith('refused'))
})
afterAll(() => smtp.close())

async function load() {
  const { default: Email } = await import('../../src/providers/email.ts')
  const { default: Nodemailer } = await import('../../src/providers/nodemailer.ts')
  return { ...(await import('../support/app.ts')), Email, Nodemailer }
}

function open() {
  const { openApp, Nodemailer } = library
  const provider = Nodemailer({ server: smtp.url, from: 'Demo <no-reply@app.test>' })
  return openApp({ strategy: 'database', providers: [provider], config: { theme: { brandColor: '#0a7' } } })
}

describe.each([
  ['6', 'nodemailer-6'],
  ['10', 'nodemailer'],
])('e-mail sign-in by SMTP with nodemailer %s', (_, installed) => {
  beforeAll(async () => {
    vi.doMock('nodemailer', () => vi.importActual(installed))
    // The provider loads the package once.
    vi.resetModules()
    library = await load()
  })
  afterAll(() => vi.doUnmock('nodemailer'))

  it('ATN-007 EM-08 mails a link in text and HTML, which signs in', async () => {
    const app = open()
    const agent = app.agent()
    await askForLink(agent, 'ada@example.com', { callbackUrl: '/home' }, 'nodemailer')
    expect(app.errors).toEqual([])
    const sent = smtp.mails.at(-1)
    expect(sent?.to).toEqual(['ada@example.com'])
    expect(sent?.mail.from).toMatchObject({ name: 'Demo', address: 'no-reply@app.test' })
    expect(sent?.mail.subject).toBe('Sign in to app.test')
    const link = /https:\/\/app\.test\/auth\/callback\/nodemailer\?\S+/.exec(sent?.mail.text ?? '')?.[0] ?? ''
    expect(sent?.mail.html).toContain(`href="${link.replaceAll('&', '&amp;')}"`)
    expect(sent?.mail.html).toContain('background: #0a7')
    const followed = await agent.send(link.replace('https://app.test', ''))
    expect(followed.headers.get('location')).toBe('https://app.test/home')
    expect(await library.sessionOf(agent)).toMatchObject({ user: { email: 'ada@example.com' } })
  })

  it('SU-11 reports that the server rejects mail for the address', async () => {
    const app = open()
    const response = await askForLink(app.agent(), 'refused@example.com', {}, 'nodemailer')
    expect(response.headers.get('location')).toBe('https://app.test/auth/signin?error=EmailSignInError')
    expect(app.ended()).toBe('failed')
  })

  it('EM-02 reaches exactly one mailbox, however the address is quoted', async () => {
    const before = smtp.mails.length
    const app = open()
    await askForLink(app.agent(), "o'hara+list@example.com", {}, 'nodemailer')
    expect(smtp.mails.slice(before).map(({ to }) => to)).toEqual([["o'hara+list@example.com"]])
  })

  it('EM-02 never parses an address again, even one that a custom normalizer let through', async () => {
    const before = smtp.mails.length
    const provider = library.Nodemailer({ server: smtp.url, normalizeIdentifier: (raw) => raw })
    const app = library.openApp({ strategy: 'database', providers: [provider] })
    await askForLink(app.agent(), 'ada@example.com,eve@evil.test', {}, 'nodemailer')
    expect(smtp.mails.slice(before).flatMap(({ to }) => to)).not.toContain('eve@evil.test')
  })

  it('requires a server, and keeps the id "email" under its old name', () => {
    expect(() => library.Nodemailer()).toThrow(/needs a `server`/)
    expect(library.Email({ server: smtp.url })).toMatchObject({ id: 'email', type: 'email', maxAge: 86_400 })
  })
})
