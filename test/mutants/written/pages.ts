import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in the built-in pages. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/text/theme-value.ts', [
    {
      id: 'pages/logo-of-any-host',
      in: 'readImage',
      find: 'new URL(value, here).origin === here',
      replace: "!value.startsWith('//')",
      breaks: ['DEC-32c'],
    },
    {
      id: 'pages/mark-without-contrast',
      in: 'hasContrast',
      find: '>= 3',
      replace: '>= 1',
      breaks: ['PAG-10'],
    },
  ]),
  ...mutantsOf('src/pages/error-text.ts', [
    {
      id: 'pages/cancelled-is-error',
      in: 'findSignInMessage',
      find: "code === 'access_denied'",
      replace: 'code === undefined',
      breaks: ['PAG-05'],
    },
  ]),
  ...mutantsOf('src/pages/sign-in-page.ts', [
    {
      id: 'pages/error-echoed',
      in: 'createSignInPage',
      find: 'createMessage(texts[message.text],',
      replace: 'createMessage(`${texts[message.text]} ${page.error}`,',
      breaks: ['IL-04'],
    },
    {
      id: 'pages/two-primary-actions',
      in: 'createSignInPage',
      find: 'isPrimary: group === primary',
      replace: 'isPrimary: true',
      breaks: ['PAG-01'],
    },
    {
      id: 'pages/message-at-any-form',
      in: 'findPlace',
      find: 'found.find(({ provider }) => provider.id === refusedBy)',
      replace: 'found[0]',
      breaks: ['PAG-03'],
    },
    {
      id: 'pages/deprecated-colour-dropped',
      in: 'listBrands',
      find: '?? style?.bg',
      replace: '',
      breaks: ['PRV-024'],
    },
    {
      id: 'pages/colour-dropped',
      in: 'listBrands',
      find: 'brandColor ?? style?.',
      replace: '',
      breaks: ['PRV-023'],
    },
  ]),
  ...mutantsOf('src/features/passkeys/sign-in-form.ts', [
    {
      id: 'pages/passkey-fields-dropped',
      in: 'describeForm',
      find: ".join() === 'email'",
      replace: ".includes('email')",
      breaks: ['PAG-02'],
    },
    {
      id: 'webauthn/every-form-offers-passkeys',
      in: 'describeCeremony',
      find: '=== true',
      replace: '!== undefined',
      breaks: ['DEC-30g'],
    },
  ]),
  ...mutantsOf('src/pages/fields.ts', [
    {
      id: 'pages/secret-shown-again',
      in: 'findNameField',
      find: ' && identifying.test(String(hint))',
      replace: '',
      breaks: ['PAG-04'],
    },
  ]),
  ...mutantsOf('src/pages/language.ts', [
    {
      id: 'pages/own-texts-ignored',
      in: 'provideLanguage',
      find: 'settings.texts[locale]',
      replace: 'undefined',
      breaks: ['PAG-07'],
    },
  ]),
  ...mutantsOf('src/features/mail-codes/form.ts', [
    {
      id: 'pages/address-of-another-provider',
      in: 'prepareForm',
      find: 'code?.provider === mailProvider.id',
      replace: 'code',
      breaks: ['PAG-08'],
    },
  ]),
  ...mutantsOf('src/flows/pages.ts', [
    {
      id: 'pages/cancel-leads-to-sign-out',
      in: 'showSignOut',
      find: 'origin: visit.origin',
      replace: 'origin: `${visit.base}/signout`',
      breaks: ['PAG-09'],
    },
  ]),
  ...mutantsOf('src/pages/compose-values.ts', [
    {
      id: 'pages/date-in-english',
      in: 'createTime',
      find: 'conventions[locale]',
      replace: 'conventions.en',
      breaks: ['PAG-11'],
    },
  ]),
  ...mutantsOf('src/pages/shell.ts', [
    {
      id: 'pages/logo-in-english',
      in: 'createMain',
      find: 'texts.logo',
      replace: "'Logo'",
      breaks: ['PAG-06'],
    },
    {
      id: 'pages/hidden-value-unescaped',
      in: 'createHiddenFields',
      find: "input', { type: 'hidden', name, value }",
      replace:
        'span\', { dangerouslySetInnerHTML: { __html: `<input type="hidden" name="${name}" value="${value}"/>` } }',
      breaks: ['IL-05'],
    },
    {
      id: 'pages/no-logo',
      in: 'createMain',
      find: "logo !== undefined && h('img', { class: 'logo', src: logo, alt: texts.logo }),",
      replace: '',
      breaks: ['WIR-063', 'CFG-038'],
    },
  ]),
  ...mutantsOf('src/pages/plain-pages.ts', [
    {
      id: 'pages/sign-in-link-relative',
      in: 'createErrorPage',
      find: ': signinUrl',
      replace: ": 'signin'",
      breaks: ['WIR-061'],
    },
  ]),
  ...mutantsOf('src/pages/sign-in-forms.ts', [
    {
      id: 'oidc/name-as-html',
      in: 'creators',
      find: "h('span', {}, labelOf(provider, texts))",
      replace: "h('span', { dangerouslySetInnerHTML: { __html: labelOf(provider, texts) } })",
      breaks: ['IL-05'],
    },
    {
      id: 'pages/credentials-to-sign-in',
      in: 'createCredentialsForm',
      find: '/callback/',
      replace: '/signin/',
      breaks: ['WIR-062'],
    },
  ]),
]
