/** The purpose of a cookie, as far as the journey is concerned. */
export type CookieKind = 'session' | 'check' | 'link' | 'code' | 'challenge' | 'held'

const kinds: readonly (readonly [kind: CookieKind, name: RegExp])[] = [
  ['session', /authjs\.session-token/],
  ['check', /authjs\.(?:state|nonce|pkce\.code_verifier)/],
  ['link', /authjs\.requested-links/],
  ['code', /authjs\.requested-code/],
  ['challenge', /authjs\.challenge/],
  ['held', /authjs\.pending-sign-in/],
]

export function kindOf(name: string): CookieKind | undefined {
  return kinds.find(([, pattern]) => pattern.test(name))?.[0]
}

/** Returns the kinds of the cookies with these names, each once. */
export function kindsOf(names: readonly string[]): CookieKind[] {
  return [...new Set(names.flatMap((name) => kindOf(name) ?? []))]
}
