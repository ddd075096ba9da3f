import { type ComponentChild, h } from 'preact'
import type { PageTexts } from '../types/page-texts.ts'
import { compose } from './language.ts'
import type { EmailChangePage } from './page.ts'
import { type Content, createAddress, createHiddenFields, createMessage } from './shell.ts'

const headings = {
  request: 'changeYourAddress',
  sent: 'checkMail',
  confirm: 'changeYourAddress',
  changed: 'addressChanged',
  stopped: 'addressUnchanged',
} as const

const objections = {
  invalid: 'addressInvalid',
  same: 'addressSame',
  link: 'addressLinkInvalid',
  taken: 'addressTaken',
} as const

/** Creates the pages of a change of the e-mail address. They need no script. */
export function createEmailChangePage(page: EmailChangePage, texts: PageTexts): Content {
  const { stage, objection } = page
  const heading = texts[headings[stage]]
  return {
    title: heading,
    className: stage === 'request' ? 'signin' : 'verify-request',
    heading,
    children: [objection && createMessage(texts[objections[objection]]), ...contents[stage](page, texts)],
  }
}

const contents: Readonly<
  Record<EmailChangePage['stage'], (page: EmailChangePage, texts: PageTexts) => ComponentChild[]>
> = {
  request: (page, texts) => [
    page.current !== undefined && createText(texts.addressIs, page.current),
    h('p', {}, texts.addressRequestText),
    createForm(page, texts.sendLink, createAddressField(texts)),
  ],
  sent: ({ email, origin }, texts) => [
    createText(texts.addressSent, email),
    createLink(origin, texts.backToSite),
  ],
  confirm: (page, texts) => [
    createText(texts.changeAddressTo, page.email),
    page.current !== undefined && createText(texts.addressWas, page.current),
    h('p', {}, texts.addressConfirmText),
    createForm(page, texts.changeAddress, []),
  ],
  changed: ({ email, origin }, texts) => [
    createText(texts.addressIsNow, email),
    createLink(origin, texts.backToSite),
  ],
  stopped: ({ again }, texts) => [createLink(again, texts.requestNewLink)],
}

/** Creates the field for the new address. */
export function createAddressField(texts: PageTexts): ComponentChild[] {
  return [
    h('label', { class: 'section-header', for: 'input-new-email' }, texts.newAddress),
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

function createText(text: string, email = ''): ComponentChild {
  return h('p', {}, compose(text, { email: createAddress(email) }))
}

function createLink(href: string | undefined, text: string): ComponentChild {
  return h('p', {}, h('a', { class: 'site', href }, text))
}
