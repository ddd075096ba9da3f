import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import ForwardEmail from '../../src/providers/forwardemail.ts'
import Loops from '../../src/providers/loops.ts'
import MailGun from '../../src/providers/mailgun.ts'
import Postmark from '../../src/providers/postmark.ts'
import Resend from '../../src/providers/resend.ts'
import SendGrid from '../../src/providers/sendgrid.ts'
import { customFetch } from '../../src/types/symbols.ts'
import type { EmailConfig } from '../../src/types/provider.ts'
import { openApp } from '../support/app.ts'
import { askForLink } from '../support/mail.ts'

const from = 'App <no-reply@mail.example.com>'
const apiKey = 'key-canary'
const basic = (user: string) => `Basic ${btoa(user)}`

interface Row {
  readonly provider: EmailConfig
  readonly url: string
  readonly authorization: Record<string, string>
  /** The address, and the member of the request with the link. */
  readonly read: (body: Sent) => { readonly to: unknown; readonly link: unknown }
}

/** The request bodies of the services. */
interface Sent {
  readonly to?: string
  readonly text?: string
  readonly To?: string
  readonly TextBody?: string
  readonly email?: string
  readonly dataVariables?: { readonly url: string }
  readonly personalizations?: readonly { readonly to: readonly { readonly email: string }[] }[]
  readonly content?: readonly { readonly value: string }[]
}

/** One row per service, with the request that it expects. */
const rows: readonly Row[] = [
  {
    provider: Resend({ apiKey, from }),
    url: 'https://api.resend.com/emails',
    authorization: { authorization: `Bearer ${apiKey}` },
    read: ({ to, text }) => ({ to, link: text }),
  },
  {
    provider: SendGrid({ apiKey, from }),
    url: 'https://api.sendgrid.com/v3/mail/send',
    authorization: { authorization: `Bearer ${apiKey}` },
    read: ({ personalizations, content }) => ({
      to: personalizations?.[0]?.to[0]?.email,
      link: content?.[0]?.value,
    }),
  },
  {
    provider: Postmark({ apiKey, from }),
    url: 'https://api.postmarkapp.com/email',
    authorization: { 'x-postmark-server-token': apiKey },
    read: ({ To, TextBody }) => ({ to: To, link: TextBody }),
  },
  {
    provider: MailGun({ apiKey, from, region: 'EU' }),
    url: 'https://api.eu.mailgun.net/v3/mail.example.com/messages',
    authorization: { authorization: basic(`api:${apiKey}`) },
    read: ({ to, text }) => ({ to, link: text }),
  },
  {
    provider: ForwardEmail({ apiKey, from }),
    url: 'https://api.forwardemail.net/v1/emails',
    authorization: { authorization: basic(`${apiKey}:`) },
    read: ({ to, text }) => ({ to, link: text }),
  },
  {
    provider: Loops({ apiKey, transactionalId: 'tx' }),
    url: 'https://app.loops.so/api/v1/transactional',
    authorization: { authorization: `Bearer ${apiKey}` },
    read: ({ email, dataVariables }) => ({ to: email, link: dataVariables?.url }),
  },
]

const server = setupServer()
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

function open(provider: EmailConfig) {
  const through = { ...provider, [customFetch]: (...args: Parameters<typeof fetch>) => fetch(...args) }
  return openApp({ strategy: 'database', providers: [through] })
}

describe.each(rows.map((row) => [row.provider.id, row] as const))('the sender %s', (id, row) => {
  it('ATN-007 asks the service to send the link', async () => {
    const got: { headers?: Headers; body?: Sent } = {}
    server.use(
      http.post(row.url, async ({ request }) => {
        const isForm = request.headers.get('content-type')?.startsWith('multipart/form-data')
        const body: unknown = isForm ? Object.fromEntries(await request.formData()) : await request.json()
        Object.assign(got, { headers: request.headers, body })
        return HttpResponse.json({ id: '1' }, { status: 202 })
      }),
    )
    const app = open(row.provider)
    await askForLink(app.agent(), 'ada@example.com', {}, id)
    expect(app.errors).toEqual([])
    expect(app.ended()).toBe('linkMailed')
    for (const [name, value] of Object.entries(row.authorization)) expect(got.headers?.get(name)).toBe(value)
    const { to, link } = row.read(got.body ?? {})
    expect(to).toBe('ada@example.com')
    expect(link).toContain(`https://app.test/auth/callback/${id}?callbackUrl=`)
  })

  it('SU-11 IL-02 fails when the service does, without repeating the response', async () => {
    server.use(
      http.post(row.url, () => HttpResponse.text(`bad ${apiKey} for ada@example.com`, { status: 422 })),
    )
    const app = open(row.provider)
    const response = await askForLink(app.agent(), 'ada@example.com', {}, id)
    expect(response.headers.get('location')).toBe('https://app.test/auth/signin?error=EmailSignInError')
    const logged = app.errors.map(
      (error) => `${error.message} ${String((error.cause as { err?: Error })?.err?.message)}`,
    )
    expect(logged.join()).toContain('422')
    expect(logged.join()).not.toContain(apiKey)
  })
})

describe('a sender without a key', () => {
  it('SU-11 names the key that it needs', async () => {
    const app = open(Resend({ from }))
    await askForLink(app.agent(), 'ada@example.com', {}, 'resend')
    expect(String((app.errors.at(-1)?.cause as { err?: Error } | undefined)?.err?.message)).toMatch(
      /AUTH_RESEND_KEY/,
    )
  })
})
