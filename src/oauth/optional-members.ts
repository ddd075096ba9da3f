/**
 * Removes the members that a provider sends as `null` or empty text instead of leaving them out. Both mean that the
 * provider has no value.
 */
export function dropEmpty<T extends object>(members: T): Partial<T> {
  const entries = Object.entries(members).filter(([, value]) => value !== null && value !== '')
  return Object.fromEntries(entries) as Partial<T>
}

/**
 * Repairs the optional members of a token response (RFC 6749 5.1). An unreadable member must not discard the tokens,
 * because a rotated refresh token would be lost. A list of scopes is joined, and anything else that is not text is
 * removed.
 */
export function tidyTokens(body: Record<string, unknown>): Record<string, unknown> {
  const { scope, refresh_token: refreshToken, expires_in: expiresIn, ...others } = dropEmpty(body)
  const joined = Array.isArray(scope) ? scope.filter(isText).join(' ') : scope
  const lifetime = readLifetime(expiresIn)
  return {
    ...others,
    ...(isText(joined) && { scope: joined }),
    ...(isText(refreshToken) && { refresh_token: refreshToken }),
    ...(lifetime !== undefined && { expires_in: lifetime }),
  }
}

/** Reads the lifetime in whole seconds (OI-22). */
function readLifetime(raw: unknown): number | undefined {
  const isNumeric = isText(raw) && /^\s*\d+(\.\d+)?\s*$/.test(raw)
  const lifetime = typeof raw === 'number' || isNumeric ? Math.floor(Number(raw)) : Number.NaN
  return Number.isSafeInteger(lifetime) && lifetime >= 0 ? lifetime : undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
