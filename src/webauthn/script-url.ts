import { version } from '../platform/version.ts'

/** Returns the URL of the script for forms that ask for a passkey. */
export function scriptUrl(base: string): string {
  return `${base}/webauthn-options?v=${version}`
}
