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
const passwordForms = ['first', 'second'].map((id) =>
  provider(id, 'credentials', { credentials: { username: {}, password: {} } }),
)

const anyProviders = fc
  .tuple(fc.array(anyProvider, { maxLength: 4 }), fc.constantFrom([], passwordForms))
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
} satisfies Record<Exclude<keyof SignInPage, 'page' | 'providers'>, unknown>

/** A request for a page. Most of them differ from a plain page in one or two values, or only in the token. */
const request = fc
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
        fc.array(request, { minLength: 4, maxLength: 12 }),
        async (providers, theme, requests) => {
          const appearance = { theme, platform: systemPlatform, texts: {} }
          for (const values of requests) {
            const page: SignInPage = { page: 'signin', providers, base, callbackUrl: base, ...values }
            expect(await renderCached(page, appearance)).toEqual(await renderPage(page, theme))
            for (const [name, value] of Object.entries(values))
              cases.count(`${name} ${value === undefined ? 'absent' : value === '' ? 'empty' : 'given'}`)
            if (values['csrfToken'] && Object.keys(values).length === 1) cases.count('only a token')
          }
        },
      ),
      { numRuns: 500 },
    )
    cases.report()
    cases.atLeast('only a token', 100)
    for (const name of ['csrfToken', 'callbackUrl', 'error', 'email', 'name']) {
      cases.atLeast(`${name} given`, 100)
      cases.atLeast(`${name} empty`, 15)
    }
  })

  const plain: SignInPage = {
    page: 'signin',
    providers: [...passwordForms, provider('mail', 'email')],
    base,
    csrfToken: 'one',
    callbackUrl: 'https://app.example/',
  }

  it.each<Partial<SignInPage>>([
    { csrfToken: 'two' },
    { csrfToken: '"><b>' },
    { csrfToken: '' },
    { csrfToken: undefined },
    { base: 'https://other.example/auth' },
    { callbackUrl: 'https://app.example/members' },
    { callbackUrl: 'https://app.example/members?id=1' },
    { error: 'CredentialsSignin' },
    { error: 'CredentialsSignin', refusedBy: 'second' },
    { error: 'OAuthCallbackError', code: 'access_denied' },
    { email: 'ada@example.com' },
    { email: '' },
    { refusedBy: 'first', name: 'ada' },
    { refusedBy: 'first', name: '' },
  ])('WIR-061 equals the page from its elements after a plain page, and before one: %o', async (values) => {
    const appearance = { theme: {}, platform: systemPlatform, texts: {} }
    const changed = { ...plain, ...values }
    for (const page of [plain, changed, changed, plain])
      expect(await renderCached(page, appearance)).toEqual(await renderPage(page, {}))
  })

  it.each<[string, Partial<SignInPage>, number]>([
    ['once for requests that differ only in their token', {}, 1],
    ['for each request with a query in its target', { callbackUrl: `${base}?invitation=secret` }, 3],
    ['for each request with a fragment in its target', { callbackUrl: `${base}#secret` }, 3],
    ['for each request with an error', { error: 'Callback' }, 3],
    ['for each request with an error code', { code: 'secret' }, 3],
    ['for each request with an e-mail address', { email: 'ada@example.com' }, 3],
    ['for each request with a name', { name: 'ada' }, 3],
    ['for each request after a refused password', { refusedBy: 'first' }, 3],
  ])('WIR-061 is filled %s', async (_, values, times) => {
    const appearance = { theme: {}, platform: systemPlatform, texts: {} }
    // A template is found by its key, which is JSON.
    const findTemplate = vi.spyOn(JSON, 'stringify')
    try {
      for (const csrfToken of ['one', 'two', 'three'])
        await renderCached({ ...plain, ...values, csrfToken }, appearance)
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
