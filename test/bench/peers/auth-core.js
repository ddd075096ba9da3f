import { Auth } from '@auth/core'
import { decode, encode } from '@auth/core/jwt'

/** The published library, through the interface that both libraries share. */
export const library = { name: '@auth/core', Auth, encode, decode }
