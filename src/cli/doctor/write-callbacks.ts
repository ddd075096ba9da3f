import { note, type Section } from './finding.ts'

/** What has to be registered at the providers, to the letter. */
export function writeCallbacks(ids: readonly string[], base: string): Section {
  return {
    title: 'Callback URLs, as they have to be registered at the providers',
    findings: ids.map((id) => note(`${base}/callback/${id}`)),
  }
}
