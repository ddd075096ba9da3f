import type { ProviderSettings } from '../config/settings.ts'
import type { Feature, Json } from '../types/feature.ts'
import type { PageKit, View } from '../types/feature-page.ts'
import type { Awaitable } from '../types/records.ts'
import type { PageProvider } from './page.ts'

/** A feature of the library, which can also add to the form of any provider on the sign-in page. */
export interface LibraryFeature extends Feature {
  /** Returns what it adds to a provider, if anything. */
  readonly describeForm?: (
    provider: ProviderSettings,
    kit: FormKit,
  ) => Awaitable<Partial<PageProvider> | undefined>
}

/** Creates what a feature adds to a form, in the language of the page. */
export interface FormKit extends Pick<PageKit, 't' | 'link'> {
  /** The URL of the library's routes, without a trailing slash. */
  readonly base: string
}

/** A page of a feature of the library, which can do more than those of other features. */
export interface LibraryView extends View {
  /** Defaults to the class that suits the parts. */
  readonly className?: 'verify-request'
}

/** The pages of a feature of the library, by name. */
export type LibraryPages<Key extends string> = Readonly<
  Record<string, (data: Json, kit: PageKit<Key>) => Awaitable<LibraryView>>
>

/** The features of a site. */
export interface SiteFeatures {
  /** The optional features of the library that are on. Only these may add to the form of a provider. */
  readonly optional: readonly LibraryFeature[]
  /** All features, including these. */
  readonly features: readonly Feature[]
  /** Returns whether the site has a route at a path below the URL of the library's routes. */
  readonly hasRoute: (method: 'GET' | 'POST', path: string) => boolean
}
