import { type ComponentChild, h } from 'preact'
import type { FactorPage, RecoveryCodesPage } from './page.ts'
import { type Content, createHiddenFields } from './shell.ts'

/** Creates the form for the code of an authenticator app. */
export function createFactorPage(page: FactorPage): Content {
  const { action, csrfToken, callbackUrl, isWrong, canRemember, enrolment } = page
  const heading = enrolment ? 'Set up an authenticator app' : 'Enter your code'
  return {
    title: heading,
    className: 'signin',
    heading,
    children: [
      isWrong &&
        h('div', { class: 'error', role: 'alert' }, h('p', {}, 'The code is wrong or was already used.')),
      h('form', { action, method: 'POST' }, [
        ...createHiddenFields({ csrfToken, callbackUrl, setup: enrolment?.sealed }),
        ...(enrolment ? explainEnrolment(enrolment) : [h('p', {}, explanation)]),
        h('label', { class: 'section-header', for: 'input-code' }, 'Code'),
        h('input', {
          id: 'input-code',
          name: 'code',
          type: 'text',
          autocomplete: 'one-time-code',
          spellcheck: false,
          required: true,
        }),
        canRemember && rememberField,
        h('button', { id: 'submitButton', type: 'submit' }, enrolment ? 'Turn on' : 'Continue'),
      ]),
    ],
  }
}

const explanation = 'Enter the code that your authenticator app shows, or one of your recovery codes.'

const rememberField = h('label', {}, [
  h('input', { name: 'remember', type: 'checkbox', value: 'true' }),
  ' Do not ask again on this device',
])

function explainEnrolment({ secret, uri }: NonNullable<FactorPage['enrolment']>): ComponentChild[] {
  return [
    h('p', {}, [
      'Add this key to your app, or ',
      h('a', { class: 'site', href: uri }, 'open it in an app on this device'),
      '. Then enter the code that the app shows.',
    ]),
    h('p', {}, h('code', {}, (secret.match(/.{1,4}/g) ?? []).join(' '))),
  ]
}

/** Creates the page that shows recovery codes. */
export function createRecoveryCodesPage({ recoveryCodes, callbackUrl }: RecoveryCodesPage): Content {
  const heading = 'Keep your recovery codes'
  return {
    title: heading,
    className: 'signin',
    heading,
    children: [
      h('p', {}, 'Without your app, each of these codes works once. They are not shown again.'),
      h(
        'ul',
        { class: 'codes' },
        recoveryCodes.map((code) => h('li', {}, h('code', {}, code))),
      ),
      h('a', { class: 'button', href: callbackUrl }, 'Continue'),
    ],
  }
}
