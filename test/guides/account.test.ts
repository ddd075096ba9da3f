import { describe, expect, it, vi } from 'vitest'
import { readForms } from '../../fuzz/world/forms.ts'
import { sessionOf } from '../support/app.ts'
import { openAgent } from '../support/browser-agent.ts'
import { signInWithGitHub, useGitHub } from './github.ts'

describe('the program of the account page', () => {
  useGitHub()

  it('ACP-01 ACP-08 ACP-11 ACP-12 shows devices, ends a session, and deletes the account', async () => {
    vi.stubEnv('AUTH_GOOGLE_ID', 'client')
    const { auth, changes } = await import('../../docs/examples/account/auth.ts')
    const open = async (device: string, address: string) => {
      const agent = openAgent('http://localhost', async (request) => {
        const headers = new Headers(request.headers)
        headers.set('user-agent', device)
        headers.set('x-real-ip', address)
        return auth.handler(new Request(request, { headers }))
      })
      await signInWithGitHub(agent)
      return agent
    }
    const [phone, laptop] = [await open('Phone', '203.0.113.7'), await open('Laptop', '203.0.113.8')]
    const page = await (await phone.send('/auth/account')).text()
    expect(page).toContain('Phone, this device, 203.0.113.7')
    expect(page).toContain('Laptop, 203.0.113.8')
    expect(page).toContain('Link Google')
    const send = (change: string, more: Record<string, string> = {}) => {
      const form = readForms(page).find(({ fields }) => fields['change'] === change)
      return phone.send('/auth/account', { form: { ...form?.fields, ...more } })
    }
    expect((await send('end-session')).headers.get('location')).toBe('http://localhost/auth/account')
    expect([await sessionOf(laptop), await sessionOf(phone)]).toMatchObject([null, {}])
    expect((await send('unlink')).status).toBe(422)
    const [, confirmation = ''] = /type <strong[^>]*>([^<]*)</.exec(page) ?? []
    await send('delete-user', { confirmation })
    expect(await sessionOf(phone)).toBeNull()
    expect(changes).toEqual([expect.stringMatching(/^[\w-]+ was deleted$/)])
  })
})
