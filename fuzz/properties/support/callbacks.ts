import { bothStrategies } from '../property.ts'

/** The parameters of a callback call. */
export type Given = Readonly<Record<string, unknown>>

/** The features that properties of callbacks need. */
export const hooks = { needs: ['setup', 'hooks', 'store'], setups: bothStrategies } as const

/** Makes every read and update of a database session call the callback, and write at once. */
export const throughCallback = {
  session: { updateAge: 0 },
  callbacks: {
    session: ({ session, user }: { session: { expires: unknown }; user: object }) => ({
      user,
      expires: session.expires,
    }),
  },
} as const
