import type { FeatureSettings } from '../config/settings.ts'

/** Tells whether nobody can sign in with an account of this feature without a session of its user (FT-32). */
export function isProvenBySession({ config }: Pick<FeatureSettings, 'config'>): boolean {
  return config.signIn.provenBy === 'session'
}
