/** Matches text that looks random: a token, a code, a cookie's value. */
export const secretLike =
  /(?<![A-Za-z0-9_-])(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{20,}(?:[.~+%|][A-Za-z0-9_.~+%-]{8,})*/g

/**
 * Returns whether a value that a response hands out is a secret as a whole, although it is short, or only a part of it
 * looks random: `s%3A….…`, or a state of twelve characters. URLs and paths are the same in each run.
 */
export function isHandedOut(value: string): boolean {
  // A list of words, such as `openid%20email`, is not a secret.
  return /^(?=.*\d)[!-~]{8,}$/.test(value) && !/^(?:\/|%2F|https?(?::|%3A))|%20/i.test(value)
}

/** Matches a word of a name: `state`, `OIDC`, `OpenIdConnect`. */
const word = /^(?:[A-Z]?[a-z]*|[A-Z]+|(?:[A-Z][a-z]+)+)$/

/**
 * Finds the part of a cookie's name that differs in each sign-in: `mod_auth_openidc_state_` and a state.
 *
 * @param state the parameter of the same response, which names of cookies often contain
 */
export function splitName(
  key: string,
  state = '',
): { readonly before: string; readonly random: string; readonly after: string } | undefined {
  const at = state.length >= 8 ? key.indexOf(state) : -1
  if (at !== -1) return { before: key.slice(0, at), random: state, after: key.slice(at + state.length) }
  let start = 0
  for (const [separator] of key.matchAll(/[._-]/g)) {
    const end = key.indexOf(separator, start)
    if (!word.test(key.slice(start, end))) break
    start = end + 1
  }
  const random = key.slice(start)
  return /^(?=.*\d)[\w-]{8,}$/.test(random) ? { before: key.slice(0, start), random, after: '' } : undefined
}
