import { MissingSecret } from '../errors.ts'

/**
 * The secrets as a list.
 *
 * @throws MissingSecret when there is none, or when one of them is empty or blank: its key would be anybody's
 */
export function requireSecrets(secret: string | readonly string[] | undefined): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : (secret ?? [])
  if (secrets.length === 0) {
    throw new MissingSecret(
      'A secret is missing. Pass `secret`, or set the environment variable AUTH_SECRET.',
    )
  }
  if (secrets.some(isBlank)) throw new MissingSecret('A secret is empty or blank.')
  return secrets
}

function isBlank(secret: unknown): boolean {
  return typeof secret !== 'string' || secret.trim() === ''
}
