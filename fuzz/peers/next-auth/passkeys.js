/** A page that leaves the unmodified passkey client of next-auth to the console. */
import { signIn } from 'next-auth/webauthn'

globalThis.signInWithPasskey = signIn
