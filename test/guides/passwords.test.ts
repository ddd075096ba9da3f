import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { adapter, auth } from '../../docs/examples/passwords/auth.js'
import { setPassword } from '../../docs/examples/passwords/passwords.js'
import { csrfOf, sessionOf } from '../support/app.ts'
import { openAgent } from '../support/browser-agent.ts'
import { stubClient } from './github.ts'

describe('the program of the passwords guide', () => {
  beforeEach(stubClient)
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it.each([
    ['of a user', ' Ada@example.com', 'correct horse', true],
    ['that is wrong', 'ada@example.com', 'wrong horse', false],
    ['of an unknown user', 'eve@example.com', 'correct horse', false],
    ['that is missing', 'ada@example.com', undefined, false],
  ])('checks a password %s', async (_whose, email, password, isIn) => {
    const row = { id: crypto.randomUUID(), name: 'Ada', email: 'ada@example.com', emailVerified: null }
    const user = (await adapter.getUserByEmail(row.email)) ?? (await adapter.createUser(row))
    await setPassword(user.id, 'correct horse')
    const agent = openAgent('http://localhost', auth.handler)
    const form = { csrfToken: await csrfOf(agent), email, ...(password !== undefined && { password }) }
    const response = await agent.send('/auth/callback/credentials', { form })
    expect(await sessionOf(agent)).toEqual(
      isIn ? expect.objectContaining({ user: expect.objectContaining({ email: row.email }) }) : null,
    )
    if (!isIn) expect(response.headers.get('location')).toContain('error=CredentialsSignin&code=credentials')
  })
})
