import fc from 'fast-check'
import type { Setup } from '../../targets/setup.ts'

/** An application that reads userinfo instead of the id_token. */
export const withUserinfo: Setup = { provider: { alpha: { idToken: false } } }

/** Advances the clock by days so that a target's cache expires, differently each time. */
export const days = fc.integer({ min: 1, max: 2900 })
