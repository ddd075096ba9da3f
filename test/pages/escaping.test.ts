import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SignInPage } from '../../src/pages/page.ts'
import { renderPage } from '../../src/pages/render-page.ts'
import { spread } from '../support/spread.ts'
import { findAll, readShape } from './read-html.ts'
import { base, origin, provider } from './samples.ts'

/** Text that tries to break out of its context, surrounded by other text. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom(
        '"><script>alert(1)</script>',
        "' onfocus='x",
        '" autofocus onfocus="x',
        '</style><script>',
        '-->',
        '<!--',
        '&quot;',
        '&#60;',
        '&',
        '<img src=x>',
        '}body{display:none',
        ';background:url(//evil.example)',
        '\\3c/style',
        '\0',
      ),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(''))
  // White space alone breaks out of nothing. A name of white space has no letter, so its page has another shape.
  .filter((text) => text.trim() !== '')

interface Values {
  readonly error: string
  readonly callbackUrl: string
  readonly csrfToken: string
  readonly email: string
  readonly name: string
  readonly label: string
}

describe('reflected values on a page', () => {
  it('IL-05 appear as literal text on the sign-in page', async () => {
    const cases = spread('hostile values on the sign-in page')
    const plain = { error: 'e', callbackUrl: 'c', csrfToken: 't', email: 'm', name: 'n', label: 'l' }
    const shape = readShape((await renderPage(createPage(plain), {})).html)
    const keys = ['error', 'callbackUrl', 'csrfToken', 'email', 'name', 'label'] as const
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...keys), hostile, async (key, text) => {
        const values = { ...plain, [key]: text }
        const { html } = await renderPage(createPage(values), {})
        expect(readShape(html)).toEqual(shape)
        const inputs = findAll(html, 'input').map((input) => input.get('value'))
        const fields = [values.csrfToken, values.callbackUrl]
        expect(inputs).toEqual([...fields, ...fields, values.email, ...fields, values.label])
        cases.count(key)
        cases.count(/[<>"&]/.test(text) ? 'with markup' : 'without markup')
      }),
      { numRuns: 300 },
    )
    cases.report()
    cases.atLeast('with markup', 100)
    for (const key of keys) cases.atLeast(key, 20)
  })

  it('IL-05 from a theme change only colours and images', async () => {
    const cases = spread(`hostile values of a theme, ${renderPage.name}`)
    const page = createPage({ error: '', callbackUrl: 'c', csrfToken: 't', email: '', name: 'n', label: 'l' })
    const untouched = (await renderPage(page, {})).html
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('brandColor', 'buttonText', 'logo', 'colorScheme', 'provider'),
        fc.tuple(fc.constantFrom('', 'red', '#fff', 'rgb(0,0,0)', '/', 'dark'), hostile),
        async (key, [start, end]) => {
          const value = start + end
          const theme = key === 'provider' ? {} : { [key]: value }
          const style = { brandColor: value, logo: value }
          const shown = key === 'provider' ? withStyle(page, style) : page
          const { html } = await renderPage(shown, theme)
          const accepted = html !== untouched
          // Accepted values are a colour name or a path. Either way the elements stay the same.
          expect(readShape(html).filter((piece) => !/^(?:img|span class|text)/.test(piece))).toEqual(
            readShape(untouched).filter((piece) => !/^(?:img|span class|text)/.test(piece)),
          )
          const [, css = ''] = /<style>([^]*?)<\/style>/.exec(html) ?? []
          expect(css).not.toMatch(/[<\\]|url\(|@import/)
          expect(css.split('{').length).toBe(css.split('}').length)
          cases.count(accepted ? 'accepted' : 'left out')
          cases.count(key)
        },
      ),
      { numRuns: 300 },
    )
    cases.report()
    cases.atLeast('left out', 100)
  })

  it('IL-05 on an error page are escaped too', async () => {
    const trace = { url: '/devtools/runs/1?"><b>', path: ['<script>alert(1)</script>'] }
    const { html } = await renderPage(
      { page: 'error', error: '"><b>', origin: 'https://app.example', signinUrl: `${base}/signin`, trace },
      {},
    )
    expect(findAll(html, 'script')).toEqual([])
    expect(html).toContain('&lt;script>')
  })

  it('IL-05 from configured fields set no attribute that could run or load anything', async () => {
    const field = {
      onfocus: 'alert(1)',
      onFocus: 'alert(1)',
      style: 'color:red',
      formaction: 'https://evil.example',
      src: 'https://evil.example',
      type: 'image',
      'x"><script>': 'y',
      id: 'other',
      name: 'other',
      class: 'x',
      dangerouslySetInnerHTML: { __html: '<script>' },
      maxLength: 5,
      placeholder: { toString: () => 'x' },
    }
    const page = withFields({ pin: field, token: { type: 'hidden', value: 'v' } })
    const [, , pin, token] = findAll((await renderPage(page, {})).html, 'input')
    expect(Object.fromEntries(pin ?? [])).toEqual({
      maxlength: '5',
      name: 'pin',
      type: 'text',
      id: 'input-pin-for-login-provider',
    })
    expect(token?.get('value')).toBe('v')
    expect(findAll((await renderPage(page, {})).html, 'label').length).toBe(1)
  })
})

function createPage({ error, callbackUrl, csrfToken, email, name, label }: Values): SignInPage {
  const credentials = { [`f${label}`]: { label, placeholder: label, value: label } }
  return {
    page: 'signin',
    origin,
    base,
    error,
    callbackUrl,
    csrfToken,
    email,
    providers: [
      provider('a', 'oauth', { name }),
      provider('b', 'email', { name }),
      provider('c', 'credentials', { name, credentials }),
    ],
  }
}

function withStyle(page: SignInPage, style: { brandColor: string; logo: string }): SignInPage {
  return { ...page, providers: page.providers.map((one) => ({ ...one, style })) }
}

function withFields(credentials: Record<string, Record<string, unknown>>): SignInPage {
  const providers = [provider('login', 'credentials', { credentials })]
  return { page: 'signin', origin, base, callbackUrl: 'c', csrfToken: 't', providers }
}
