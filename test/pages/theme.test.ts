import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { provideLanguage } from '../../src/pages/language.ts'
import { renderPage } from '../../src/pages/render-page.ts'
import { createStyle } from '../../src/pages/style.ts'
import { pickTextOn, readColour } from '../../src/text/theme-value.ts'
import type { SignInPage } from '../../src/pages/page.ts'
import type { Theme } from '../../src/types/theme.ts'
import { findAll } from './read-html.ts'
import { createSamples } from './feature-samples.ts'
import { pages, passkey, provider, signInPage } from './samples.ts'

describe('the theme', () => {
  it('WIR-063 CFG-038 sets logo, brand colour and text on buttons', async () => {
    for (const page of pages) {
      const theme = { logo: '/logo.svg', brandColor: 'rebeccapurple', buttonText: 'rgb(1 2 3 / 50%)' }
      const { html } = await renderPage(page, theme)
      const [logo] = findAll(html, 'img')
      expect([logo?.get('class'), logo?.get('alt'), logo?.get('src')]).toEqual(['logo', 'Logo', '/logo.svg'])
      expect(html).toContain('--brand-color:rebeccapurple;')
      expect(html).toContain('--button-text-color:rgb(1 2 3 / 50%);')
    }
  })

  it('WIR-063 shows a logo only from a path, a data URI or an absolute URL', async () => {
    const shown = async (logo: string) =>
      findAll((await renderPage(signInPage, { logo })).html, 'img')[0]?.get('src')
    for (const logo of [
      '/a.svg',
      'data:image/png;base64,AA==',
      'https://cdn.example/a.svg?x=1&y=2',
      'http://localhost:3000/a.svg',
      'https://[::1]/a.svg',
    ]) {
      expect(await shown(logo)).toBe(logo)
    }
    for (const logo of [
      '',
      'a.svg',
      '//cdn.example/a.svg',
      '/\\cdn.example',
      'javascript:alert(1)',
      'javascript://cdn.example/%0aalert(1)',
      'ftp://cdn.example/a.svg',
      'data:text/html,x',
      'https://a;sandbox/a.svg',
      'https://*/a.svg',
      'https://*.cdn.example/a.svg',
      "https://'none'/a.svg",
    ]) {
      expect([logo, await shown(logo)]).toEqual([logo, undefined])
    }
  })

  it('WIR-063 forces a colour scheme, or follows the browser', async () => {
    const schemeOf = async (colorScheme: unknown) => {
      const { html } = await renderPage(signInPage, { colorScheme } as Theme)
      const meta = findAll(html, 'meta').find((found) => found.get('name') === 'color-scheme')
      return [findAll(html, 'body')[0]?.get('class'), meta?.get('content')]
    }
    expect(await schemeOf('dark')).toEqual(['__next-auth-theme-dark', 'dark'])
    expect(await schemeOf('light')).toEqual(['__next-auth-theme-light', 'light'])
    for (const auto of ['auto', undefined, 'constructor', 'x"']) {
      expect(await schemeOf(auto)).toEqual(['__next-auth-theme-auto', 'light dark'])
    }
    const css = createStyle({}, '')
    expect(css).toMatch(/@media \(prefers-color-scheme:dark\)\{\.__next-auth-theme-auto\{/)
    expect(css).not.toMatch(/^[^@]*\.__next-auth-theme-auto,[^{]*dark/)
    for (const colorScheme of ['light', 'dark'] as const) {
      const schemes = createStyle({ colorScheme }, '').match(/color-scheme:\w+/g)
      expect(schemes).toEqual([`color-scheme:${colorScheme}`])
    }
  })

  it('has the rules of each page, and leaves those of other pages out of the sign-in page', async () => {
    const sheets = await Promise.all(
      [...pages, ...(await createSamples({}))].map(async (page) => {
        const { html } = await renderPage(page, {})
        const [, sheet = '', body = ''] = /<style>(.*)<\/style>(.*)/s.exec(html) ?? []
        const classes = [...body.matchAll(/class="([^"]+)"/g)].flatMap(([, names = '']) => names.split(' '))
        return { page: page.page, sheet, classes }
      }),
    )
    const isStyled = (sheet: string, name: string) => new RegExp(`\\.${name}\\b`).test(sheet)
    for (const { page, sheet, classes } of sheets) {
      const styled = classes.filter((name) => sheets.some((other) => isStyled(other.sheet, name)))
      expect([page, styled.filter((name) => !isStyled(sheet, name))]).toEqual([page, []])
    }
    const [signIn] = sheets.filter(({ page }) => page === 'signin')
    expect(isStyled(signIn?.sheet ?? '', 'sections')).toBe(false)
  })

  it('WIR-061 has the rules of an element only on pages that contain it', async () => {
    const oauth = provider('p', 'oauth', {})
    // Its script inserts a paragraph if the ceremony fails.
    const key = passkey('k', { formFields: {}, getUserInfo: () => null })
    const checkbox = { remember: { type: 'checkbox', label: 'Remember me' } }
    const withRules: readonly (readonly [string, Partial<SignInPage>])[] = [
      ['.letter{', { providers: [oauth] }],
      ['.mark path', { providers: [{ ...oauth, style: { mark: 'M0 0' } }] }],
      ['.notice{', { error: 'SessionRequired' }],
      [
        '[aria-invalid=true]',
        { error: 'CredentialsSignin', providers: [provider('c', 'credentials', { credentials: checkbox })] },
      ],
      ['::placeholder', { providers: [provider('m', 'email', {})] }],
      ['[type=checkbox]', { providers: [provider('c', 'credentials', { credentials: checkbox })] }],
      ['\np{', { providers: [key] }],
      ['hr{', { providers: [oauth, provider('m', 'email', {})] }],
    ]
    const plain = { ...signInPage, providers: [] }
    const styleOf = async (page: SignInPage) =>
      /<style>(.*)<\/style>/s.exec((await renderPage(page, {})).html)?.[1]
    const without = await styleOf(plain)
    for (const [rule, change] of withRules) {
      expect([rule, without?.includes(rule)]).toEqual([rule, false])
      expect([rule, (await styleOf({ ...plain, ...change }))?.includes(rule)]).toEqual([rule, true])
    }
  })

  it('WIR-061 keeps addresses from left to right on a page from right to left', async () => {
    const page: SignInPage = { ...signInPage, providers: [provider('m', 'email', {})] }
    for (const [locale, isWritten] of [
      ['ar', true],
      ['de', false],
    ] as const) {
      const language = await provideLanguage({ locale, texts: {} }, null)
      const { html } = await renderPage(page, {}, language)
      expect([locale, html.includes('{direction:ltr;text-align:right}')]).toEqual([locale, isWritten])
    }
  })

  it('WIR-061 defines and uses the documented variables', () => {
    const names = [
      ...['', '-hover', '-card'].map((end) => `--color-background${end}`),
      ...'--color-text --color-primary --color-control-border --color-separator --color-error'.split(' '),
      ...['-background', '-border'].map((end) => `--color-button-active${end}`),
      ...['', '-hover', '-text'].map((end) => `--color-info${end}`),
      ...'--brand-color --button-text-color --button-hover-bg --border-width --border-radius'.split(' '),
      ...'--provider-bg --provider-bg-hover --provider-color --provider-brand-color'.split(' '),
    ]
    const css = createStyle({}, '')
    for (const name of names) expect([name, css.includes(`${name}:`)]).toEqual([name, true])
  })

  it('WIR-063 keeps text readable in both schemes (WCAG 2.2 AA)', () => {
    for (const scheme of ['light', 'dark'] as const) {
      const variables = readVariables(createStyle({ colorScheme: scheme }, ''), scheme)
      const pairs: readonly [string, string, number][] = [
        ['--color-text', '--color-background-card', 4.5],
        ['--color-text', '--color-background', 4.5],
        ['--color-primary', '--color-background-card', 4.5],
        ['--color-error', '--color-background-card', 4.5],
        ['--color-info', '--color-background-card', 4.5],
        ['--color-info-hover', '--color-background-card', 4.5],
        ['--color-info-text', '--color-info', 4.5],
        ['--provider-color', '--provider-bg', 4.5],
        ['--provider-color', '--provider-bg-hover', 4.5],
        ['--provider-color', '--color-button-active-background', 4.5],
        ['--button-text-color', '--brand-color', 4.5],
        ['--brand-color', '--color-background-card', 3],
        ['--color-control-border', '--color-background-card', 3],
        ['--color-control-border', '--provider-bg', 3],
        ['--color-info', '--color-background', 3],
      ]
      for (const [text, background, least] of pairs) {
        const ratio = contrast(variables.get(text) ?? '', variables.get(background) ?? '')
        expect([scheme, text, background, ratio >= least]).toEqual([scheme, text, background, true])
      }
    }
  })

  it('WIR-063 picks readable text for any brand colour in hexadecimal', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
        const brand = `#${number.toString(16).padStart(6, '0')}`
        expect(contrast(brand, pickTextOn(brand) ?? '')).toBeGreaterThanOrEqual(4.5)
        expect(createStyle({ brandColor: brand }, '')).toContain(`--button-text-color:${pickTextOn(brand)};`)
      }),
      { numRuns: 500 },
    )
    expect([pickTextOn('#fff'), pickTextOn('#000'), pickTextOn('red')]).toEqual(['#000', '#fff', undefined])
  })

  it("PRV-023 PRV-024 colours a provider's mark with its brandColor, or else its bg", async () => {
    const { html } = await renderPage(signInPage, {})
    expect(html).toContain('.brand-0{--provider-brand-color:#24292f;')
    expect(html).toContain('.brand-1{--provider-brand-color:#1a73e8;')
    expect(html).toContain('class="button brand-1"')
  })

  it('IL-05 accepts only CSS colour notations for colours', () => {
    const good =
      '#abc|#abcd|#aabbcc|#AABBCCDD|red|rebeccapurple| navy |transparent|rgb(1,2,3)|rgba(1, 2, 3, .5)|hsl(120deg 50% 50% / 0.5)|oklch(60% 0.1 20)'
    for (const colour of good.split('|')) expect(readColour(colour)).toBe(colour.trim())
    const bad =
      '|#ab|#abcde|red;|red}|</style>|url(x)|rgb(1,2,3|rgb(url(x))|var(--x)|expression(alert(1))|red/**/|rgb(1,2,3);x:y|#fff}body{|aaaaaaaaaaaaaaaaaaaaaaaaa'
    for (const colour of bad.split('|')) expect([colour, readColour(colour)]).toEqual([colour, undefined])
  })

  it('IL-05 writes no text into a style sheet that is not a colour', () => {
    const text = 'red}</style><script>canary()</script>'
    const theme = { brandColor: text, buttonText: text }
    expect(createStyle(theme, '', [text])).not.toContain('canary')
    expect(createStyle(theme, '', [text])).not.toContain('</style')
  })
})

function readVariables(css: string, scheme: string): Map<string, string> {
  const blocks = [
    /:root\{([^}]*)\}/.exec(css)?.[1],
    new RegExp(`theme-${scheme}\\{([^}]*)\\}`).exec(css)?.[1],
  ]
  const found = blocks.join(';').matchAll(/(--[\w-]+):([^;]+)/g)
  return new Map([...found].map(([, name = '', value = '']) => [name, value.trim()]))
}

/** The WCAG 2.2 contrast ratio of two hexadecimal colours. */
function contrast(one: string, two: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(two)].toSorted((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

function luminance(colour: string): number {
  const hex = colour.length === 4 ? colour.replace(/[^#]/g, '$&$&') : colour
  const [r = Number.NaN, g = Number.NaN, b = Number.NaN] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
