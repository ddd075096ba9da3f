import WebAuthn from 'authmachine/providers/webauthn'

/** Anyone who types a known address receives the list of that user's security keys. */
export const securityKeys = WebAuthn({
  async getUserInfo({ adapter, url }) {
    const email = url.searchParams.get('email')
    if (email === null) return null
    const user = await adapter.getUserByEmail?.(email.trim().toLowerCase())
    return user?.emailVerified ? { user, exists: true } : { user: { email }, exists: false }
  },
})
