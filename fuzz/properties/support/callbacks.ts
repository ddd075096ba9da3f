import { bothStrategies } from '../property.ts'

/** What a callback is given. */
export type Given = Readonly<Record<string, unknown>>

/** What every property over callbacks needs. */
export const hooks = { needs: ['setup', 'hooks', 'store'], setups: bothStrategies } as const

/** What has every reading and update of a stored session go through the callback, and written at once. */
export const throughCallback = {
  session: { updateAge: 0 },
  callbacks: {
    session: ({ session, user }: { session: { expires: unknown }; user: object }) => ({
      user,
      expires: session.expires,
    }),
  },
} as const
