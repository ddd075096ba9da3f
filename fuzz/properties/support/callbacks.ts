import { bothStrategies } from '../property.ts'

/** What a callback is given. */
export type Given = Readonly<Record<string, unknown>>

/** What every property over callbacks needs. */
export const hooks = { needs: ['setup', 'hooks', 'store'], setups: bothStrategies } as const
