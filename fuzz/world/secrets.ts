/** Matches text that looks random: a token, a code, a cookie's value. */
export const secretLike =
  /(?<![A-Za-z0-9_-])(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{20,}(?:[.~+%|][A-Za-z0-9_.~+%-]{8,})*/g

/**
 * Tells whether a value that a response hands out is a secret as a whole, although it is short, or only a part of it looks
 * random: `s%3A….…`, or a state of twelve characters. URLs and paths are the same in each run.
 */
export function isHandedOut(value: string): boolean {
  return /^(?=.*\d)[!-~]{8,}$/.test(value) && !/^(?:\/|%2F|https?(?::|%3A))/i.test(value)
}

/** The words at the beginning of a cookie's name, and the rest, if that differs in each sign-in. */
const randomName =
  /^((?:(?:[A-Z]?[a-z]{2,}|[A-Z]{2,}|(?:[A-Z][a-z]+)+|__Host|__Secure|_)?[._-]+)*)((?=.*\d)[\w-]{8,})$/

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
  const [, before = '', random] = randomName.exec(key) ?? []
  return random === undefined ? undefined : { before, random, after: '' }
}
