/** A page that exposes the unmodified passkey client of next-auth as a global, for the tests to call. */
import { signIn } from 'next-auth/webauthn'

globalThis.signInWithPasskey = signIn
