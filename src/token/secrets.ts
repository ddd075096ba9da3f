import { MissingSecret } from '../errors.ts'

/**
 * The secrets as a list.
 *
 * @throws MissingSecret when there is none, or when one of them is empty or blank: its key would be anybody's
 */
export function requireSecrets(
  secret: string | readonly string[] | undefined,
): readonly [string, ...string[]] {
  const [first, ...others] = typeof secret === 'string' ? [secret] : (secret ?? [])
  if (first === undefined) {
    throw new MissingSecret(
      'A secret is missing. Pass `secret`, or set the environment variable AUTH_SECRET.',
    )
  }
  if ([first, ...others].some(isBlank)) throw new MissingSecret('A secret is empty or blank.')
  return [first, ...others]
}

function isBlank(secret: unknown): boolean {
  return typeof secret !== 'string' || secret.trim() === ''
}
