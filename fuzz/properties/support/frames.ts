/**
 * Tells whether a page forbids pages of arbitrary sites to show it in a frame. A browser that knows `frame-ancestors`
 * ignores `X-Frame-Options` (CSP Level 3, 6.4.2.2).
 */
export function forbidsFrames(headers: Headers): boolean {
  const policy = headers.get('content-security-policy') ?? ''
  const directives = policy.split(/[;,]/).map((each) => each.trim().toLowerCase().split(/\s+/))
  const ancestors = directives.filter(([name]) => name === 'frame-ancestors')
  if (ancestors.length > 0)
    return ancestors.some(
      ([, ...sources]) => !sources.some((each) => /^(?:https?:(?:\/\/)?)?\*?$/.test(each)),
    )
  return /^\s*(?:deny|sameorigin)\s*$/i.test(headers.get('x-frame-options') ?? '')
}
