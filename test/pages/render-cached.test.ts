import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
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

/** With two password forms, a refused password has its message in one of them. */
const passwordForms = fc.constantFrom(
  [],
  ['first', 'second'].map((id) => provider(id, 'credentials', { credentials: { password: {} } })),
)

const anyProviders = fc
  .tuple(fc.array(anyProvider, { maxLength: 4 }), passwordForms)
  .map((lists) => lists.flat())

const anyTheme: fc.Arbitrary<Theme> = fc.record(
  {
    brandColor: fc.constantFrom('#123456', 'red', '</style>'),
    colorScheme: fc.constantFrom('dark', 'light'),
    logo: fc.constantFrom('/logo.png', 'https://cdn.example/logo.png?"'),
  },
  { requiredKeys: [] },
)

const maybe = (value: fc.Arbitrary<string>) => fc.option(value, { nil: undefined })

const valuesOfRequest = {
  base: fc.constantFrom(base, 'http://localhost:3000/a&b', 'https://other.example'),
  csrfToken: maybe(text),
  callbackUrl: text,
  error: maybe(fc.constantFrom('', 'CredentialsSignin', 'OAuthCallbackError', '"><b>')),
  code: maybe(fc.constantFrom('access_denied', 'other')),
  email: maybe(text),
  refusedBy: maybe(fc.constantFrom('first', 'second')),
  name: maybe(text),
}

/** What a request changes, compared with the one before: often the token only, so that the last page is used again. */
const change = fc
  .tuple(fc.record(valuesOfRequest), fc.subarray(Object.keys(valuesOfRequest), { maxLength: 2 }))
  .map(([all, names]) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => name === 'csrfToken' || names.includes(name))),
  )

describe('a page from a template', () => {
  it('WIR-061 IL-05 equals the page from its elements, for each request of a configuration', async () => {
    const cases = spread('requests for pages from templates')
    await fc.assert(
      fc.asyncProperty(
        anyProviders,
        anyTheme,
        fc.array(change, { minLength: 4, maxLength: 12 }),
        async (providers, theme, changes) => {
          const appearance = { theme, platform: systemPlatform, texts: {} }
          let page: SignInPage = { page: 'signin', providers, base, callbackUrl: base }
          for (const changed of changes) {
            page = { ...page, ...changed }
            expect(await renderCached(page, appearance)).toEqual(await renderPage(page, theme))
            for (const [name, value] of Object.entries(changed))
              cases.count(`${name} ${value === undefined ? 'absent' : value === '' ? 'empty' : 'given'}`)
          }
        },
      ),
      { numRuns: 500 },
    )
    cases.report()
    for (const name of ['csrfToken', 'callbackUrl', 'error', 'email', 'name']) {
      cases.atLeast(`${name} given`, 100)
      cases.atLeast(`${name} empty`, 15)
    }
  })

  it.each([
    ['is filled once for requests that differ in their token only', {}, 1],
    ['is filled for each request if it contains an e-mail address', { email: 'ada@example.com' }, 3],
    ['is filled for each request if it contains a name', { name: 'ada' }, 3],
  ])('%s', async (_, values, times) => {
    const appearance = { theme: {}, platform: systemPlatform, texts: {} }
    // A template is found by its key, which is JSON.
    const findTemplate = vi.spyOn(JSON, 'stringify')
    try {
      for (const csrfToken of ['one', 'two', 'three'])
        await renderCached({ ...signInPage, ...values, csrfToken }, appearance)
      expect(findTemplate).toHaveBeenCalledTimes(times)
    } finally {
      findTemplate.mockRestore()
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
