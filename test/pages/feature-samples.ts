import { createFeaturePage, describeAccountSection } from '../../src/pages/feature-page.ts'
import type { Page } from '../../src/pages/page.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import type { Feature, Json } from '../../src/types/feature.ts'
import { everyFeature } from '../support/every-option.ts'
import { account, base, origin } from './samples.ts'

const email = 'ada@example.com'

/** Each page of the optional features in each of its states: the feature, its route, the page, and the data. */
export const samples = [
  ['email-change', 'email-change', 'request', { current: email }],
  ['email-change', 'email-change', 'request', { current: email, objection: 'invalid' }],
  ['email-change', 'email-change', 'request', { objection: 'same' }],
  ['email-change', 'email-change', 'sent', { email }],
  [
    'email-change',
    'email-change-confirm',
    'confirm',
    { current: email, email: 'ada@work.example', token: 'token' },
  ],
  ['email-change', 'email-change-confirm', 'changed', { email }],
  ['email-change', 'email-change-confirm', 'stopped', { objection: 'link', again: `${base}/email-change` }],
  ['email-change', 'email-change-confirm', 'stopped', { objection: 'taken', again: `${base}/email-change` }],
] as const satisfies readonly (readonly [string, string, string, Json])[]

/** Creates a page of an optional feature, in a language that the browser accepts. */
export async function createSample(
  [name, action, page, data]: (typeof samples)[number],
  accepted: string | null,
  { texts = {}, locale }: Pick<AuthConfig, 'texts' | 'locale'> = {},
): Promise<Page> {
  const feature = everyFeature(texts).find((each): each is Feature => each.name === name)
  if (!feature) throw new Error(`There is no feature ${name}`)
  const shown = { feature, page, data, base, action, origin, csrfToken: 'c0ffee', callbackUrl: undefined }
  return createFeaturePage(shown, { texts, locale }, accepted)
}

/** Creates the pages of the optional features, and the account page with their sections. */
export async function createSamples(
  appearance: Pick<AuthConfig, 'texts' | 'locale'>,
): Promise<readonly Page[]> {
  const settings = { texts: {}, ...appearance }
  const features = everyFeature(settings.texts)
  const pages = samples.map(async (sample) => createSample(sample, null, appearance))
  const sections = features.map(async (feature) => {
    const section = await describeAccountSection(feature, settings, null)
    return section ? [{ action: feature.name, ...section }] : []
  })
  return [...(await Promise.all(pages)), { ...account, sections: (await Promise.all(sections)).flat() }]
}
