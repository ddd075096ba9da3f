import { type ComponentChild, h } from 'preact'
import type { PageTexts } from '../types/page-texts.ts'
import { compose } from './language.ts'
import type { EmailChangePage } from './page.ts'
import { type Content, createAddress, createHiddenFields, createMessage } from './shell.ts'

const headings = {
  request: 'changeYourEmail',
  sent: 'checkMail',
  confirm: 'changeYourEmail',
  changed: 'emailChanged',
  stopped: 'emailNotChanged',
} as const

const objections = {
  invalid: 'emailInvalid',
  same: 'emailSame',
  link: 'emailLinkExpired',
  taken: 'emailTaken',
} as const

/** Creates the pages of a change of the e-mail address. They need no script. */
export function createEmailChangePage(page: EmailChangePage, texts: PageTexts): Content {
  const { stage, objection } = page
  return {
    className: stage === 'request' ? 'signin' : 'verify-request',
    heading: texts[headings[stage]],
    children: [objection && createMessage(texts[objections[objection]]), ...contents[stage](page, texts)],
  }
}

const contents: Readonly<
  Record<EmailChangePage['stage'], (page: EmailChangePage, texts: PageTexts) => ComponentChild[]>
> = {
  request: (page, texts) => [
    page.current !== undefined && h('p', {}, compose(texts.emailIs, { email: createAddress(page.current) })),
    h('p', {}, texts.emailLinkText),
    createForm(page, texts.sendLink, createAddressField(texts)),
  ],
  sent: ({ email = '' }, texts) => [
    h('p', {}, compose(texts.messageSentTo, { email: createAddress(email) })),
  ],
  confirm: (page, texts) => [
    h('p', {}, compose(texts.changeEmailTo, { email: createAddress(page.email ?? '') })),
    page.current !== undefined && h('p', {}, compose(texts.emailWas, { email: createAddress(page.current) })),
    h('p', {}, texts.emailChangeText),
    createForm(page, texts.saveEmail, []),
  ],
  changed: ({ email = '' }, texts) => [
    h('p', {}, compose(texts.emailIsNow, { email: createAddress(email) })),
  ],
  stopped: ({ again }, texts) => [h('p', {}, h('a', { class: 'site', href: again }, texts.requestNewLink))],
}

/** Creates the field for the new address. */
export function createAddressField(texts: PageTexts): ComponentChild[] {
  return [
    h('label', { class: 'section-header', for: 'input-new-email' }, texts.newEmailAddress),
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
