/** The published `@simplewebauthn/browser`, followed by the script of the sign-in page. */
export declare const passkeyScript: string
