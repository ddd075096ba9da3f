import { Auth } from '@auth/core'
import { decode, encode } from '@auth/core/jwt'

/** The published library, by the interface that ours has too. */
export const library = { name: '@auth/core', Auth, encode, decode }
