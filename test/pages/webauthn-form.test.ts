import { readFileSync } from 'node:fs'
import { Script } from 'node:vm'
import { describe, expect, it } from 'vitest'
import WebAuthn from '../../src/providers/webauthn.ts'
import { openApp } from '../support/app.ts'
import { withPasskeys } from '../support/webauthn/app.ts'
import { findAll } from './read-html.ts'

const top = new URL('../../', import.meta.url)
const published = readFileSync(
  new URL('node_modules/@simplewebauthn/browser/dist/bundle/index.umd.min.js', top),
  'utf8',
)

async function showSignIn(options: Parameters<typeof withPasskeys>[0] = {}) {
  const response = await openApp(withPasskeys(options)).agent().send('/auth/signin')
  const html = await response.text()
  return {
    html,
    policy: response.headers.get('content-security-policy') ?? '',
    scripts: findAll(html, 'script'),
  }
}

describe('the form of a WebAuthn provider', () => {
  it('DEC-30g DEC-32c has one script, from our own route, and the policy allows no other', async () => {
    const { html, policy, scripts } = await showSignIn()
    expect(scripts).toHaveLength(1)
    expect(scripts[0]?.get('src')).toMatch(/^https:\/\/app\.test\/auth\/webauthn-options\?v=\d+\.\d+\.\d+$/)
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("connect-src 'self';")
    expect(policy).not.toMatch(/unsafe|https:\/\/\w/)
    const forms = findAll(html, 'form').filter((form) => form.get('id')?.endsWith('-form'))
    expect(forms.map((form) => Object.fromEntries(form))).toMatchObject([
      {
        id: 'passkey-form',
        action: 'https://app.test/auth/callback/passkey',
        'data-options-url': 'https://app.test/auth/webauthn-options/passkey',
        'data-conditional': '',
      },
      { id: 'webauthn-form', 'data-options-url': 'https://app.test/auth/webauthn-options/webauthn' },
    ])
    expect(forms[1]?.has('data-conditional')).toBe(false)
    const fields = findAll(html, 'input').filter((input) => input.has('data-form-field'))
    expect(fields.map((input) => input.get('autocomplete'))).toEqual([
      'username webauthn',
      'username webauthn',
    ])
  })

  it('DEC-32a has no script if the provider has none, or is not shown', async () => {
    for (const webauthn of [
      { simpleWebAuthnBrowserVersion: false },
      { formFields: null as never },
    ] as const) {
      const { html, policy, scripts } = await showSignIn({
        webauthn: { ...webauthn, enableConditionalUI: false },
      })
      expect(scripts).toEqual([])
      expect(policy).not.toContain('script-src')
      expect(html).not.toContain('data-options-url')
    }
    const response = await openApp().agent().send('/auth/signin')
    expect(response.headers.get('content-security-policy')).not.toContain('script-src')
    expect(findAll(await response.text(), 'script')).toEqual([])
  })

  it("DEC-30g uses the published script with its licence, followed by the library's", async () => {
    const response = await openApp(withPasskeys()).agent().send('/auth/webauthn-options?v=any')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('cache-control')).toBe('public, max-age=86400')
    expect(response.headers.getSetCookie()).toEqual([])
    const script = await response.text()
    expect(script).toMatch(/^\/\*!\nMIT License\n\nCopyright/)
    expect(script).toContain(published.trim())
    expect(() => new Script(script)).not.toThrow()
  })

  it('DEC-30g DEC-32d has no script without a provider that needs it, and no route to post to', async () => {
    const none = await openApp().agent().send('/auth/webauthn-options')
    expect([none.status, await none.text()]).toEqual([404, ''])
    expect(none.headers.get('cache-control')).toContain('no-store')
    const agent = openApp(withPasskeys()).agent()
    expect((await agent.send('/auth/webauthn-options', { form: {} })).status).toBe(405)
  })

  it('DEC-30g has options for a provider of any id, whatever the script’s route is called', async () => {
    const app = openApp(withPasskeys({ providers: [WebAuthn({ id: 'script', enableConditionalUI: false })] }))
    const response = await app.agent().send('/auth/webauthn-options/script?v=1')
    expect(await response.json()).toMatchObject({ action: 'authenticate' })
  })
})
