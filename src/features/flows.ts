/** The flows of the optional features, for the tools. Requests load them through the heads. */
export * from './account-page/flow.ts'
export * from './backchannel-logout/flow.ts'
export * from './email-change/flow.ts'
export * from './mail-codes/flow.ts'
export * from './passkeys/flow.ts'
export * from './passwords/flow.ts'
export * from './second-factor/flow.ts'
