export * from './types/records.ts'
export * from './types/config.ts'
export * from './types/theme.ts'
export type { PublicProvider } from './types/provider.ts'
