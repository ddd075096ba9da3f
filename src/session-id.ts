/**
 * Tells whether a text can be the token of a database session: visible ASCII that fits in one cookie. Some databases
 * throw on other text, or compare it inexactly. Session tokens of the JWT strategy are not ids either, and a database
 * with a narrower column type may throw on them.
 */
export function isSessionId(value: unknown): value is string {
  return typeof value === 'string' && /^(?!eyJ[\w-]*\.\.)[!-~]{1,1024}$/.test(value)
}
