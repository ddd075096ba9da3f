import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { systemPlatform } from '../../src/clock.ts'
import type { PageProvider, SignInPage } from '../../src/pages/page.ts'
import { renderCached } from '../../src/pages/render-cached.ts'
import { renderPage } from '../../src/pages/render-page.ts'
import type { Theme } from '../../src/types/theme.ts'
import { spread } from '../support/spread.ts'
import { base, pages, provider, signInPage } from './samples.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('', '"><script>', '</style>', '&amp;', '<', '\0', '$&', '0', base, 'csrfToken', 'c0ffee'),
)
const field = fc.record({ label: text, value: text, placeholder: text }, { requiredKeys: [] })
const fields = fc.dictionary(text, field, { maxKeys: 2 })

const anyProvider: fc.Arbitrary<PageProvider> = fc
  .record({
    id: text,
    kind: fc.constantFrom<PageProvider['kind'][]>('oauth', 'email', 'credentials', 'webauthn'),
    name: text,
    style: fc.record({ brandColor: fc.constantFrom('#123456', 'none"'), logo: text }, { requiredKeys: [] }),
    fields,
    ceremony: fc.option(fc.record({ conditional: fc.boolean(), twoButtons: fc.boolean() }), {
      nil: undefined,
    }),
  })
  .map(({ id, kind, fields: given, ceremony, ...more }) =>
    provider(id, kind, {
      ...more,
      ...(kind === 'credentials' && { credentials: given }),
      ...(kind === 'webauthn' && { formFields: given, ceremony }),
    }),
  )

const anyTheme: fc.Arbitrary<Theme> = fc.record(
  {
    brandColor: fc.constantFrom('#123456', 'red', '</style>'),
    colorScheme: fc.constantFrom('dark', 'light'),
    logo: fc.constantFrom('/logo.png', 'https://cdn.example/logo.png?"'),
  },
  { requiredKeys: [] },
)

/** What one request changes on the page of a configuration. */
const request = fc.record({
  base: fc.constantFrom(base, 'http://localhost:3000/a&b', 'https://other.example'),
  csrfToken: fc.option(text, { nil: undefined }),
  callbackUrl: text,
  error: fc.option(fc.constantFrom('', 'Callback', 'EmailSignin', 'SessionRequired', '"><b>'), {
    nil: undefined,
  }),
  email: fc.option(text, { nil: undefined }),
})

describe('a page from a template', () => {
  it('WIR-061 equals the page from its elements, for each request of a configuration', async () => {
    const cases = spread('requests for pages from templates')
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyProvider, { maxLength: 4 }),
        anyTheme,
        fc.array(request, { minLength: 2, maxLength: 6 }),
        async (providers, theme, requests) => {
          const appearance = { theme, platform: systemPlatform, texts: {} }
          for (const values of requests) {
            const page: SignInPage = { page: 'signin', providers, ...values }
            expect(await renderCached(page, appearance)).toEqual(await renderPage(page, theme))
            for (const [name, value] of Object.entries(values))
              cases.count(`${name} ${value === undefined ? 'absent' : value === '' ? 'empty' : 'given'}`)
          }
        },
      ),
      { numRuns: 200 },
    )
    cases.report()
    for (const name of ['csrfToken', 'callbackUrl', 'error', 'email']) {
      cases.atLeast(`${name} given`, 100)
      cases.atLeast(`${name} empty`, 20)
    }
  })

  it('CC-11 belongs to one configuration', async () => {
    for (const theme of [{ brandColor: '#123456' }, { brandColor: '#654321' }])
      expect(await renderCached(signInPage, { theme, platform: systemPlatform, texts: {} })).toEqual(
        await renderPage(signInPage, theme),
      )
  })

  it('WIR-061 is rendered from its elements for all other pages', async () => {
    for (const page of pages)
      expect(await renderCached(page, { theme: {}, platform: systemPlatform, texts: {} })).toEqual(
        await renderPage(page, {}),
      )
  })
})
