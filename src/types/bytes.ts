/**
 * Bytes in memory that no other thread shares, as Web Crypto requires: `Uint8Array<ArrayBuffer>`. Declarations cannot say
 * so, because the type has no parameter before TypeScript 5.7.
 */
export type Bytes = ReturnType<InstanceType<typeof TextEncoder>['encode']>
