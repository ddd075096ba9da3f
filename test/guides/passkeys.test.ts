import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openAgent } from '../support/browser-agent.ts'
import { stubClient } from './github.ts'

describe('the program of the passkeys guide', () => {
  beforeEach(stubClient)
  afterEach(() => void vi.unstubAllEnvs())

  it('shows a custom form and script, and offers a ceremony for the site', async () => {
    const { auth } = await import('../../docs/examples/passkeys/auth.ts')
    const agent = openAgent('http://localhost', auth.handler)
    const page = await (await agent.send('/auth/signin')).text()
    expect(page).toContain('name="email"')
    const script = /<script[^>]* src="([^"]+)"/.exec(page)?.[1] ?? ''
    expect(new URL(script, 'http://localhost').origin).toBe('http://localhost')
    expect((await agent.send(script)).headers.get('content-type')).toContain('javascript')
    const query = new URLSearchParams({ action: 'register', email: 'ada@example.com' })
    const asked = await agent.send(`/auth/webauthn-options/passkey?${query}`)
    expect(await asked.json()).toMatchObject({
      action: 'register',
      options: {
        rp: { id: 'localhost', name: 'Example' },
        authenticatorSelection: { userVerification: 'required' },
      },
    })
  })
})
