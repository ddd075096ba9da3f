import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeMessage } from '../../src/provider-base/message.ts'
import type { EmailProviderSendVerificationRequestParams } from '../../src/types/provider.ts'
import { spread } from '../support/spread.ts'

type Params = EmailProviderSendVerificationRequestParams

function params(more: Partial<Params>): Params {
  return {
    identifier: 'ada@example.com',
    url: 'https://app.test/auth/callback/mail?token=t&email=a',
    provider: { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest: () => {} },
    theme: {},
    ...more,
  } as Params
}

describe('the message', () => {
  it('EM-07 IL-05 escapes whatever theme and link contain', async () => {
    const cases = spread('mail text')
    const nasty = fc.constantFrom(
      '"><script>alert(1)</script>',
      '</style><img src=x>',
      'red;background:url(//evil)',
      "' onclick='x",
      '#fff',
    )
    await fc.assert(
      fc.asyncProperty(nasty, nasty, fc.string(), async (brandColor, buttonText, query) => {
        const url = `https://app.test/auth/callback/mail?x=${encodeURIComponent(query)}&y="><b>`
        const { html } = await writeMessage(params({ url, theme: { brandColor, buttonText } }))
        cases.count(brandColor === '#fff' ? 'usable colour' : 'nasty colour')
        expect(html).not.toMatch(/<script|<img|<b>|onclick|evil/)
        expect(html.match(/<a /g)).toHaveLength(1)
      }),
      { numRuns: 100 },
    )
    cases.report()
    cases.atLeast('nasty colour', 50)
  })

  it('EM-07 has a text version, and does not repeat the address', async () => {
    const { text, html, subject } = await writeMessage(params({}))
    expect(text.split('\n')[0]).toBe('Sign in to app.test')
    expect(text).toContain('\n\nhttps://app.test/auth/callback/mail?token=t&email=a\n\n')
    expect(subject).toBe('Sign in to app.test')
    expect(html).not.toContain('ada@example.com')
  })

  it('CD-01 CD-07 has the code and no link, and no code in the subject', async () => {
    const provider = { ...params({}).provider, method: 'code' as const }
    const { text, html, subject } = await writeMessage(params({ provider, token: '314159' }))
    expect(subject).toBe('Sign in to app.test')
    expect(text).toContain('\n\n314159\n\n')
    expect(html).toContain('>314159</strong>')
    expect(text + html).not.toMatch(/https?:|<a /)
    expect((await writeMessage(params({ token: '314159' }))).text).not.toContain('314159')
  })
})
