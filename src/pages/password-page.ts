import { type ComponentChild, type ComponentChildren, h } from 'preact'
import type { PasswordPage } from './page.ts'
import type { LibraryTexts } from '../types/page-texts.ts'
import { compose, fill } from './language.ts'
import { type Content, createAddress, createHiddenFields, createMessage } from './shell.ts'

const labels = {
  password: { heading: 'setPassword', button: 'sendLink' },
  'password-reset': { heading: 'choosePassword', button: 'savePassword' },
  'password-change': { heading: 'changeYourPassword', button: 'changePassword' },
} as const

/** Creates a form for passwords. The page never contains a password. */
export function createPasswordPage(page: PasswordPage, texts: LibraryTexts): Content {
  const { form, action, csrfToken, token, callbackUrl, complaint } = page
  const { heading, button } = labels[form]
  return {
    className: 'signin',
    heading: texts[heading],
    children: [
      complaint && createMessage(fill(texts[complaints[complaint]], { count: page.minLength })),
      h('form', { action, method: 'POST' }, [
        ...createHiddenFields({ csrfToken, token, callbackUrl }),
        ...fields[form](page, texts),
        h('button', { id: 'submitButton', type: 'submit' }, texts[button]),
      ]),
    ],
  }
}

const complaints = {
  'too-short': 'passwordTooShort',
  'too-long': 'passwordTooLong',
  breached: 'passwordBreached',
  mismatch: 'passwordMismatch',
} as const

const fields: Readonly<
  Record<PasswordPage['form'], (page: PasswordPage, texts: LibraryTexts) => ComponentChild[]>
> = {
  password: (_, texts) => [
    h('p', {}, texts.sendLinkText),
    createField('email', texts.email, { type: 'email', autocomplete: 'username' }),
  ],
  'password-reset': ({ minLength, email = '' }, texts) => [
    h('p', {}, compose(texts.choosePasswordFor, { email: createAddress(email) })),
    // Password managers store the address with the password.
    h('input', { type: 'hidden', name: 'email', value: email, autocomplete: 'username' }),
    createNewPassword(minLength, texts),
  ],
  'password-change': ({ minLength }, texts) => [
    createField('currentPassword', texts.currentPassword, {
      type: 'password',
      autocomplete: 'current-password',
    }),
    createNewPassword(minLength, texts),
  ],
}

function createNewPassword(minLength: number, texts: LibraryTexts): ComponentChild {
  return createField('password', fill(texts.newPassword, { count: minLength }), {
    type: 'password',
    autocomplete: 'new-password',
    minlength: minLength,
  })
}

function createField(
  name: string,
  label: ComponentChildren,
  attributes: Readonly<Record<string, string | number>>,
): ComponentChild {
  const id = `input-${name}`
  return [
    h('label', { class: 'section-header', for: id }, label),
    h('input', { ...attributes, id, name, required: true }),
  ]
}
