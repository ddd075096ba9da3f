/** All flows. They are imported here, not awaited, because some bundle formats have no top-level await. */
export * from '../features/flows.ts'
export * from './credentials/flow.ts'
export * from './email/flow.ts'
export * from './oauth/flow.ts'
export * from './refresh/flow.ts'
export * from './session/flow.ts'
export * from './sign-out/flow.ts'
