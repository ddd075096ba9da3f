/** `@simplewebauthn/browser` as it is published, and the script of the sign-in page behind it. */
export declare const passkeyScript: string
