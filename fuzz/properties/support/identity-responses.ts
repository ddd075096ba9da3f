import fc from 'fast-check'
import type { Setup } from '../../targets/setup.ts'

/** An application that asks userinfo rather than the id_token. */
export const withUserinfo: Setup = { provider: { alpha: { idToken: false } } }

/** What a target remembers of earlier cases is out of date after some days, other ones each time. */
export const days = fc.integer({ min: 1, max: 2900 })
