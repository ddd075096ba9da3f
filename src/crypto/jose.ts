/** Only these functions of jose. Its index would add all others to bundles, such as those for the edge. */
export { CompactEncrypt } from 'jose/jwe/compact/encrypt'
export { compactDecrypt } from 'jose/jwe/compact/decrypt'
export { createLocalJWKSet } from 'jose/jwks/local'
export { compactVerify } from 'jose/jws/compact/verify'
