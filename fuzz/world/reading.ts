import type { Reply } from './reply.ts'

/** Interprets requests and replies, for monitors that only watch. */
export interface Reading {
  /** Returns `session`, `callback`, `signout` or another action; undefined for another path. */
  readonly actionOf: (request: Request) => string | undefined
  /** Returns the session that the response to `session` contains, in the format of Auth.js. */
  readonly sessionOf: (reply: Reply) => unknown
}
