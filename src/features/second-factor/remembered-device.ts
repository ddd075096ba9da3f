import { sealedCookie } from '../../token/sealed.ts'

/** A browser in which a user does not have to enter the second factor. */
interface RememberedDevice {
  readonly userId: string
  /** The binding of the second factor. */
  readonly binding: string
  /** The stamp of the account. Absent without one, as in cookies of earlier versions. */
  readonly stamp: string | undefined
}

/** The cookie that remembers a browser. It becomes invalid when the factor or the account changes. */
export const deviceCookie = sealedCookie<RememberedDevice, 'userId' | 'binding' | 'stamp'>({
  cookie: ({ cookieTable }) => cookieTable.rememberedDevice,
  until: (_, { settings, platform }) =>
    platform.now() + (settings.optional.secondFactor?.rememberFor ?? 0) * 1000,
  boundTo: ['userId', 'binding', 'stamp'],
  read: ({ userId, binding, stamp }) => ({
    userId: String(userId),
    binding: String(binding),
    stamp: typeof stamp === 'string' ? stamp : undefined,
  }),
})
