import { type ComponentChild, type ComponentChildren, h } from 'preact'
import type { PasswordPage } from './page.ts'
import { type Content, createHiddenFields } from './shell.ts'

const texts: Readonly<Record<PasswordPage['form'], { readonly heading: string; readonly button: string }>> = {
  password: { heading: 'Set or reset your password', button: 'Send the link' },
  'password-reset': { heading: 'Choose a password', button: 'Set the password' },
  'password-change': { heading: 'Change your password', button: 'Change the password' },
}

/** Creates a form for passwords. The page never contains a password. */
export function createPasswordPage(page: PasswordPage): Content {
  const { form, action, csrfToken, token, email, callbackUrl, complaint } = page
  const { heading, button } = texts[form]
  return {
    title: heading,
    className: 'signin',
    heading,
    children: [
      complaint && h('div', { class: 'error', role: 'alert' }, h('p', {}, explain(complaint, page))),
      h('form', { action, method: 'POST' }, [
        ...createHiddenFields({ csrfToken, token, callbackUrl }),
        ...fields[form](page, email),
        h('button', { id: 'submitButton', type: 'submit' }, button),
      ]),
    ],
  }
}

function explain(complaint: NonNullable<PasswordPage['complaint']>, { minLength }: PasswordPage): string {
  switch (complaint) {
    case 'too-short':
      return `Choose a password with at least ${minLength} characters, for example a sentence.`
    case 'too-long':
      return 'The password is too long. Choose a shorter one.'
    case 'breached':
      return 'This password is known from a data breach. Choose another one.'
    case 'mismatch':
      return 'The current password does not match. Check it and try again.'
  }
}

const fields: Readonly<
  Record<PasswordPage['form'], (page: PasswordPage, email: string | undefined) => ComponentChild[]>
> = {
  password: () => [
    h('p', {}, 'We send you a link to a page where you choose a password.'),
    createField('email', 'Email', { type: 'email', autocomplete: 'username' }),
  ],
  'password-reset': ({ minLength }, email) => [
    h('p', {}, [
      'Choose a password for ',
      h('strong', {}, email),
      '. Continue only if you requested this link.',
    ]),
    // Password managers store the address with the password.
    h('input', { type: 'hidden', name: 'email', value: email, autocomplete: 'username' }),
    createNewPassword(minLength),
  ],
  'password-change': ({ minLength }) => [
    createField('currentPassword', 'Current password', {
      type: 'password',
      autocomplete: 'current-password',
    }),
    createNewPassword(minLength),
  ],
}

function createNewPassword(minLength: number): ComponentChild {
  return createField('password', `New password (at least ${minLength} characters)`, {
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
