import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arabic } from '../../src/pages/arabic.ts'
import { english } from '../../src/pages/english.ts'
import { german } from '../../src/pages/german.ts'
import { chooseLocale, compose, fill } from '../../src/pages/language.ts'
import { renderLocalised } from '../../src/pages/render-page.ts'
import type { PageLocale, PageTexts } from '../../src/types/page-texts.ts'
import { openApp, type AppOptions } from '../support/app.ts'
import { findAll, readHtml, readShape, readText } from './read-html.ts'
import { textsOf as accountTextsOf } from '../../src/features/account-page/texts.ts'
import { textsOf as emailChangeTextsOf } from '../../src/features/email-change/texts.ts'
import { textsOf as mailCodeTextsOf } from '../../src/features/mail-codes/texts.ts'
import { textsOf as passkeyTextsOf } from '../../src/features/passkeys/texts.ts'
import { textsOf as passwordTextsOf } from '../../src/features/passwords/texts.ts'
import { textsOf as factorTextsOf } from '../../src/features/second-factor/texts.ts'
import { createSamples } from './feature-samples.ts'
import { everyPageIn, pages, passkey, signInPage } from './samples.ts'

const ofFeatures = [
  accountTextsOf,
  emailChangeTextsOf,
  mailCodeTextsOf,
  passkeyTextsOf,
  passwordTextsOf,
  factorTextsOf,
].map((textsOf) => textsOf({}))
const languages = {
  en: Object.assign({}, english, ...ofFeatures.map(({ en }) => en)) as Record<string, string>,
  de: Object.assign({}, german, ...ofFeatures.map(({ de }) => de)) as Record<string, string>,
  ar: Object.assign({}, arabic, ...ofFeatures.map(({ ar }) => ar)) as Record<string, string>,
}
const locales = ['en', 'de', 'ar'] as const

async function showSignIn(accepted: string | undefined, config: AppOptions['config'] = {}) {
  const headers: Record<string, string> = accepted === undefined ? {} : { 'accept-language': accepted }
  const answer = await openApp({ config }).agent().send('/auth/signin', { headers })
  return answer.text()
}

function localeOf(html: string) {
  const [root] = findAll(html, 'html')
  return [root?.get('lang'), root?.get('dir')]
}

/** The names, labels and addresses of the samples, and the dates, which the runtime writes. */
const notTexts =
  /The \w+|GitHub|Google|User name|Password|Email|Ada Lovelace|Firefox on Linux|ada@(?:example\.com|work\.example)|email@example\.com|app\.example|\d+ January \d+ at|UTC/g

/** The attributes that a browser or a screen reader shows. */
const spoken = ['alt', 'aria-label', 'placeholder', 'title', 'data-text', 'data-failed']

/** Everything that a user reads or hears. Only developers see the parts whose language is English. */
function readWords(html: string): string {
  const forUsers = html
    .replace(/<style>[^]*?<\/style>/, '')
    .replaceAll(/<(details|p)[^>]* lang="en"[^]*?<\/\1>/g, '')
  return readHtml(forUsers)
    .flatMap((piece) =>
      typeof piece === 'string' ? piece : spoken.map((name) => piece.attributes.get(name) ?? ''),
    )
    .join(' ')
}

describe('the language of a page', () => {
  it('PAG-06 is the one that the browser prefers, or English', () => {
    const choices: readonly (readonly [string | null, PageLocale])[] = [
      [null, 'en'],
      ['', 'en'],
      ['*', 'en'],
      ['fr', 'en'],
      ['de', 'de'],
      ['DE-AT', 'de'],
      ['ar-EG,ar;q=0.9,en;q=0.8', 'ar'],
      ['fr-FR, de;q=0.5, en;q=0.4', 'de'],
      ['de;q=0.2, en;q=0.7', 'en'],
      ['de;q=0, en;q=0', 'en'],
      ['de;q=x', 'en'],
      ['german', 'en'],
      ['constructor', 'en'],
      [`${'fr,'.repeat(200)}de`, 'en'],
    ]
    for (const [header, locale] of choices) expect([header, chooseLocale(header)]).toEqual([header, locale])
  })

  it('PAG-06 covers the names and fields of the own providers, but no name that the site chose', async () => {
    const credentials = {
      email: { label: 'Email', type: 'email' },
      password: { label: 'Password', type: 'password' },
    }
    const providers = [
      { id: 'mail', name: 'Email', kind: 'email' },
      { id: 'password', name: 'Password', kind: 'password', credentials },
      passkey(
        'key',
        { name: 'Passkey', formFields: { email: { label: 'Email' }, nick: { label: 'Nick' } } },
        { locale: 'de' },
      ),
      { id: 'own', name: 'Password', kind: 'credentials', credentials: { pin: { label: 'Password' } } },
    ] as const
    const { html } = await renderLocalised(
      { ...signInPage, providers },
      { theme: {}, locale: 'de', texts: {} },
    )
    const text = readText(html)
    expect(text).toContain('Mit E-Mail anmelden')
    expect(text).toContain('Mit Passwort anmelden')
    expect(text).toContain('Mit Passkey anmelden')
    const labels = [...html.matchAll(/<label[^>]*>([^<]*)/g)].map(([, label]) => label)
    expect(labels).toEqual(['E-Mail', 'E-Mail', 'Passwort', 'E-Mail', 'Nick', 'Password'])
    expect(text).toContain('Mit Password anmelden')
  })

  it('PAG-06 is chosen for every request, and has the direction of its script', async () => {
    expect(localeOf(await showSignIn(undefined))).toEqual(['en', 'ltr'])
    expect(localeOf(await showSignIn('de-DE,de;q=0.9,en;q=0.8'))).toEqual(['de', 'ltr'])
    const html = await showSignIn('ar')
    expect(localeOf(html)).toEqual(['ar', 'rtl'])
    expect(readText(html)).toContain('تسجيل الدخول باستخدام Idp')
    const agent = openApp().agent()
    for (const locale of ['de', 'ar', 'en', 'de'])
      for (const path of ['signin', 'signout', 'error', 'verify-request', 'nothing']) {
        const answer = await agent.send(`/auth/${path}`, { headers: { 'accept-language': locale } })
        expect([path, localeOf(await answer.text())[0]]).toEqual([path, locale])
      }
  })

  it('PAG-06 is fixed by `locale`', async () => {
    expect(localeOf(await showSignIn('ar', { locale: 'de' }))).toEqual(['de', 'ltr'])
    expect(readText(await showSignIn('en', { locale: 'de' }))).toContain('Mit Idp anmelden')
  })

  it('PAG-06 rejects an unknown locale, and texts that are not strings', async () => {
    for (const config of [{ locale: 'fr' }, { texts: { de: { signIn: 1 } } }, { texts: 'x' }]) {
      const app = openApp({ config: config as object })
      expect((await app.agent().send('/auth/signin')).status).toBe(500)
      expect(app.errors[0]?.message).toMatch(/^`(?:locale|texts)[.\w]*` must be/)
    }
  })
})

describe('the texts of a page', () => {
  it('PAG-07 are all in the guide', () => {
    const guide = readFileSync(new URL('../../docs/guides/pages.md', import.meta.url), 'utf8')
    const rows = [...guide.matchAll(/^\| `(\w+)` +\| (.+?) +\|$/gm)].map(([, name, text]) => [name, text])
    const listed = new Set(Object.keys(languages.en))
    expect(rows.filter(([name = '']) => listed.has(name))).toEqual(
      expect.arrayContaining(Object.entries(languages.en)),
    )
  })

  it('PAG-06 have the same names and values in every language', () => {
    const placeholders = (said: object) =>
      Object.entries<string>({ ...said }).map(([name, text]) => [
        name,
        text.match(/\{\w+\}/g)?.toSorted() ?? [],
      ])
    for (const locale of ['de', 'ar'] as const)
      expect(placeholders(languages[locale])).toEqual(placeholders(languages.en))
    for (const texts of Object.values(languages))
      for (const text of Object.values(texts)) expect(text.trim()).not.toBe('')
  })

  it('PAG-06 PAG-07 are all that a page says, apart from names and addresses', async () => {
    const names = Object.keys(languages.en)
    const marked = Object.fromEntries(
      Object.entries(languages.en).map(([name, text]) => {
        const values = [...text.matchAll(/\{\w+\}/g)]
        return [name, `⟦${name}${values.map(([value]) => `⟧${value}⟦`).join('')}⟧`]
      }),
    ) as unknown as PageTexts
    const shown: string[] = []
    for (const page of [
      ...everyPageIn({ texts: { en: marked } }),
      ...(await createSamples({ texts: { en: marked } })),
    ]) {
      const { html } = await renderLocalised(page, { theme: { logo: '/logo.svg' }, texts: { en: marked } })
      const said = readWords(html)
      shown.push(...[...said.matchAll(/⟦(\w+)/g)].map(([, name = '']) => name))
      expect([
        page.page,
        said
          .replaceAll(/⟦[^⟧]*⟧/g, '')
          .replaceAll(notTexts, '')
          .trim(),
      ]).toEqual([page.page, expect.not.stringMatching(/\p{L}{2}/u)])
    }
    expect(names.filter((name) => !shown.includes(name))).toEqual([])
  })

  it('PAG-06 contain no other script in Arabic, apart from names and addresses', async () => {
    for (const page of [...everyPageIn({ locale: 'ar' }), ...(await createSamples({ locale: 'ar' }))]) {
      const { html } = await renderLocalised(page, { theme: {}, locale: 'ar', texts: {} })
      const said = readWords(html)
        .replaceAll(notTexts, '')
        .replaceAll(/QR|name@example\.com/g, '')
      expect([page.page, said]).toEqual([page.page, expect.not.stringMatching(/[a-z]{2}/i)])
    }
  })

  it('PAG-07 can be replaced one by one, in each language', async () => {
    const texts = { en: { signIn: 'Welcome back' }, de: { signInWith: 'Weiter mit {name}' } }
    const said = await showSignIn('en', { texts })
    expect(said).toContain('<h1>Welcome back</h1>')
    expect(readText(said)).toContain('Sign in with Idp')
    const other = readText(await showSignIn('de', { texts }))
    expect(other).toContain('Weiter mit Idp')
    expect(other).toContain(german.signIn)
  })

  it('IL-05 PAG-07 are escaped', async () => {
    const names = Object.keys(languages.en)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('"><script>x</script>', '</style>', '{name', '{}', '{constructor}', "'", '&amp;'),
        fc.constantFrom(...pages),
        async (text, page) => {
          const own = Object.fromEntries(names.map((name) => [name, text])) as unknown as PageTexts
          const appearance = { theme: {} }
          const { html } = await renderLocalised(page, { ...appearance, texts: { en: own } })
          expect(findAll(html, 'script')).toEqual([])
          const tags = (shape: string[]) =>
            shape.filter((piece) => !['text', 'strong dir', 'bdi'].includes(piece))
          const usual = await renderLocalised(page, { ...appearance, texts: {} })
          expect(tags(readShape(html))).toEqual(tags(readShape(usual.html)))
        },
      ),
    )
  })

  it('PAG-07 keep unknown words in braces, and replace known ones once', () => {
    expect(fill('{name} {other} {constructor}', { name: '{other}$&', other: 'x' })).toBe(
      '{other}$& x {constructor}',
    )
    expect(compose('a {b} {c}', { b: 'B' })).toEqual(['a ', 'B', ' ', '{c}', ''])
  })

  it('WIR-061 are those of the language of each request', async () => {
    const appearance = { theme: {}, texts: {} }
    for (const locale of [...locales, ...locales]) {
      const { html } = await renderLocalised(signInPage, appearance, locale)
      expect(html).toContain(`<h1>${languages[locale].signIn}</h1>`)
    }
  })
})
