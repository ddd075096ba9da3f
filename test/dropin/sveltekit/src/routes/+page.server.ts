import { AuthError, CredentialsSignin } from '@auth/sveltekit'
import { fail } from '@sveltejs/kit'
import { signIn, signOut } from '../auth'
import type { Actions } from './$types'

export const actions: Actions = {
  // In raw mode the package throws its own error class.
  signin: async (event) => {
    try {
      await signIn(event)
    } catch (error) {
      if (!(error instanceof AuthError)) throw error
      const code = error instanceof CredentialsSignin ? error.code : ''
      return fail(401, { refused: `${error.type} ${code}` })
    }
  },
  signout: signOut,
}
