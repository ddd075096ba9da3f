import { AuthError } from '@auth/sveltekit'
import { fail } from '@sveltejs/kit'
import { signIn, signOut } from '../auth.js'

export const actions = {
  // The error that raw mode throws is the one of the package.
  signin: async (event) => {
    try {
      return await signIn(event)
    } catch (error) {
      if (!(error instanceof AuthError)) throw error
      return fail(401, { refused: `${error.type} ${error.code}` })
    }
  },
  signout: signOut,
}
