/** The tokens of sessions. Augment the interface `JWT` of this module with your own claims. */
export { decode, encode, getToken, type GetTokenParams } from './token/jwt.ts'
export * from './types/jwt.ts'
