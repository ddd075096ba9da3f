import { adviseProviderError } from './provider-advice.ts'

/** The error in a provider's response (RFC 6749 4.1.2.1 and 5.2, RFC 6750 3), unchecked. */
export interface ProviderError {
  readonly error: unknown
  readonly description?: unknown
}

/** Characters of a description that go into the log. */
const descriptionLimit = 200

/**
 * Reads the error of a response that is not a success: from its JSON body, else from its `WWW-Authenticate` header. The
 * response itself stays unread. Callers ask for failures only, so that a success costs nothing.
 */
export async function readProviderError(response: Response): Promise<ProviderError | undefined> {
  return (await readBody(response)) ?? readChallenge(response.headers.get('www-authenticate') ?? '')
}

async function readBody(response: Response): Promise<ProviderError | undefined> {
  if (response.bodyUsed) return undefined
  try {
    const body: unknown = await response.clone().json()
    if (typeof body !== 'object' || body === null || !('error' in body)) return undefined
    return {
      error: body.error,
      description: 'error_description' in body ? body.error_description : undefined,
    }
  } catch {
    return undefined
  }
}

function readChallenge(challenge: string): ProviderError | undefined {
  const read = (name: string) => new RegExp(`\\b${name}="((?:[^"\\\\]|\\\\.)*)"`).exec(challenge)?.[1]
  const error = read('error')
  return error === undefined ? undefined : { error, description: read('error_description') }
}

/**
 * Describes the error for the log, with advice.
 *
 * @param secrets values that the description may not repeat
 * @param topic the code to look advice up for, if it is not the error itself
 */
export function tellProviderError(
  { error, description }: ProviderError,
  secrets: readonly (string | null | undefined)[],
  topic: unknown = error,
): string {
  const said =
    typeof description === 'string' && description !== '' ? `, saying ${quote(description, secrets)}` : ''
  const advice = adviseProviderError(topic)
  return `the error ${showCode(error)}${said}${advice ? `. ${advice}` : ''}`
}

/** Quotes an error code if it is short and well-formed (RFC 6749 5.2). */
export function showCode(code: unknown): string {
  return typeof code === 'string' && /^[a-z][a-z0-9_]{0,39}$/.test(code) ? `"${code}"` : 'of an unknown code'
}

/** Quotes a description on one short line of ASCII, without URL queries, e-mail addresses and likely secrets. */
function quote(description: string, secrets: readonly (string | null | undefined)[]): string {
  // Cut first, so that no description costs much; a secret that is cut in two is still as long as one.
  let text = description.slice(0, 4 * descriptionLimit)
  for (const secret of secrets) if (secret) text = text.replaceAll(secret, '…')
  text = text
    .replaceAll(/[^\s"'<>@]+@[^\s"'<>@]+/g, '…')
    .replaceAll(/[?#][^\s"'<>]*=[^\s"'<>]*/g, '?…')
    .replaceAll(/[\w~+/=.-]{16,}/g, (word) => (mayBeSecret(word) ? '…' : word))
  const short = text.length > descriptionLimit ? `${text.slice(0, descriptionLimit)}…` : text
  return JSON.stringify(short).replaceAll(/[^ -~…]/g, (character) => `\\u${hex(character)}`)
}

/** Is the word long enough for a token, with digits in it? Hosts, paths and plain words are not redacted. */
function mayBeSecret(word: string): boolean {
  return (
    word.split(/[/.=]/).some((part) => part.length >= 40 || (part.length >= 16 && /\d/.test(part))) ||
    (word.split('.').length === 3 && word.length > 60)
  )
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0')
}
