import { expect } from 'vitest'
import { csrfOf, startSignIn } from '../../support/app.ts'
import { scenario } from '../scenario.ts'

export const signInScenarios = [
  scenario('RTE-001 TX-08 a sign-in redirects to the provider, with its own checks', async ({ open }) => {
    const app = open()
    const response = await startSignIn(app.agent())
    const location = new URL(response.headers.get('location') ?? '')
    expect(response.status).toBe(302)
    expect(location.origin + location.pathname).toBe('https://idp.test/authorize')
    expect(location.searchParams.get('code_challenge_method')).toBe('S256')
    expect(location.searchParams.get('nonce')).toMatch(/^[\w-]{43}$/)
    expect(app.ended()).toBe('sentToProvider')
  }),

  scenario('TX-18 a sign-in without the CSRF token is rejected, and starts nothing', async ({ open }) => {
    const app = open()
    const agent = app.agent()
    await csrfOf(agent)
    const response = await agent.send('/auth/signin/idp', { form: { csrfToken: 'f'.repeat(64) } })
    expect(response.headers.get('location')).toBe('https://app.test/auth/signin?error=MissingCSRF')
    expect(app.idp.log).toHaveLength(0)
    expect(app.ended()).toBe('refused')
  }),
]
