import WebAuthn from 'authmachine/providers/webauthn'

/** Whoever types a known address is told which security keys that user has. */
export const securityKeys = WebAuthn({
  async getUserInfo({ adapter, url }) {
    const email = url.searchParams.get('email')
    if (email === null) return null
    const user = await adapter.getUserByEmail?.(email.trim().toLowerCase())
    return user?.emailVerified ? { user, exists: true } : { user: { email }, exists: false }
  },
})
