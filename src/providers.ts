export type * from './types/provider.ts'
export type * from './types/public-provider.ts'
export type { ProviderType } from './types/records.ts'
export type * from './provider-base/built-in-providers.ts'
