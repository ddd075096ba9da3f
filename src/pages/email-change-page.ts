import { type ComponentChild, h } from 'preact'
import type { EmailChangePage } from './page.ts'
import { type Content, createHiddenFields } from './shell.ts'

const headings: Readonly<Record<EmailChangePage['stage'], string>> = {
  request: 'Change your email address',
  sent: 'Check your email',
  confirm: 'Change your email address',
  changed: 'Your email address is changed',
  stopped: 'Your email address was not changed',
}

const objections: Readonly<Record<NonNullable<EmailChangePage['objection']>, string>> = {
  invalid: 'Enter a complete email address, such as name@example.com.',
  same: 'This is your email address already. Enter another one.',
  link: 'This link has expired, was already used, or belongs to another account. Request a new one.',
  taken: 'Another account has this email address. Choose another address.',
}

/** Creates the pages of a change of the e-mail address. They need no script. */
export function createEmailChangePage(page: EmailChangePage): Content {
  const { stage, objection } = page
  return {
    title: headings[stage],
    className: stage === 'request' ? 'signin' : 'verify-request',
    heading: headings[stage],
    children: [
      objection && h('div', { class: 'error', role: 'alert' }, h('p', {}, objections[objection])),
      ...contents[stage](page),
    ],
  }
}

const contents: Readonly<Record<EmailChangePage['stage'], (page: EmailChangePage) => ComponentChild[]>> = {
  request: (page) => [
    page.current !== undefined && h('p', {}, ['Your email address is ', h('strong', {}, page.current), '.']),
    h('p', {}, 'We send a link to the new address, which you open in this browser.'),
    createForm(page, 'Send the link', createAddressField()),
  ],
  sent: ({ email, origin }) => [
    h('p', {}, [
      'We sent a message to ',
      h('strong', {}, email),
      '. Follow its instructions in this browser.',
    ]),
    createLink(origin, 'Back to the site'),
  ],
  confirm: (page) => [
    h('p', {}, ['Change your email address to ', h('strong', {}, page.email), '?']),
    page.current !== undefined && h('p', {}, ['Until now it was ', h('strong', {}, page.current), '.']),
    h('p', {}, 'Continue only if you requested this link. You are signed out on your other devices.'),
    createForm(page, 'Change the address', []),
  ],
  changed: ({ email, origin }) => [
    h('p', {}, ['Your email address is now ', h('strong', {}, email), '.']),
    createLink(origin, 'Back to the site'),
  ],
  stopped: ({ again }) => [createLink(again, 'Request a new link')],
}

/** Creates the field for the new address. */
export function createAddressField(): ComponentChild[] {
  return [
    h('label', { class: 'section-header', for: 'input-new-email' }, 'New email address'),
    h('input', {
      id: 'input-new-email',
      name: 'email',
      type: 'email',
      autocomplete: 'email',
      required: true,
    }),
  ]
}

function createForm(
  { action, csrfToken, token }: EmailChangePage,
  label: string,
  fields: readonly ComponentChild[],
): ComponentChild {
  return h('form', { action, method: 'POST' }, [
    ...createHiddenFields({ csrfToken, token }),
    ...fields,
    h('button', { id: 'submitButton', type: 'submit' }, label),
  ])
}

function createLink(href: string | undefined, text: string): ComponentChild {
  return h('p', {}, h('a', { class: 'site', href }, text))
}
