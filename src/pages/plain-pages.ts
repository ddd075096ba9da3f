import { h } from 'preact'
import { referTo } from '../errors/explanations.ts'
import type { LibraryTexts } from '../types/page-texts.ts'
import { findErrorText } from './error-text.ts'
import { compose } from './language.ts'
import { type Content, createAddress, createHiddenFields } from './shell.ts'
import type { ConfirmPage, ErrorPage, SignOutPage, VerifyRequestPage } from './page.ts'

/** Creates the page that asks for confirmation before signing out. */
export function createSignOutPage(page: SignOutPage, texts: LibraryTexts): Content {
  const { action, csrfToken, callbackUrl, origin } = page
  return {
    className: 'signout',
    heading: texts.signOut,
    children: [
      h('p', {}, texts.signOutQuestion),
      h('form', { action, method: 'POST' }, [
        ...createHiddenFields({ csrfToken, callbackUrl }),
        h('button', { id: 'submitButton', type: 'submit' }, texts.signOut),
      ]),
      h('a', { class: 'button secondary', href: origin }, texts.cancel),
    ],
  }
}

/** Creates the page that shows an error and the next step. */
export function createErrorPage(page: ErrorPage, texts: LibraryTexts): Content {
  const { signinUrl, explanation, trace } = page
  const { heading, text, retry } = findErrorText(page)
  return {
    className: 'error',
    heading: texts[heading],
    children: [
      h('div', { class: 'message' }, [
        h('p', {}, texts[text]),
        retry && h('a', { class: 'button', href: signinUrl }, texts.signIn),
      ]),
      explanation !== undefined && createExplanation(explanation),
      trace !== undefined && [
        h('details', developers, [
          h('summary', {}, 'What happened'),
          h(
            'ol',
            {},
            trace.path.map((state) => h('li', {}, state)),
          ),
        ]),
        h(
          'p',
          { ...developers, class: 'trace' },
          h('a', { class: 'site', href: trace.url }, 'Show the trace'),
        ),
      ],
    ],
  }
}

/** Texts that only developers see are in English in every language. */
const developers = { lang: 'en', dir: 'ltr' }

/** Explains the error to developers. */
function createExplanation({ type, sentence, fix, section }: NonNullable<ErrorPage['explanation']>) {
  return h('section', { ...developers, class: 'explanation' }, [
    h('h2', {}, type),
    h('p', {}, markCode(sentence)),
    h('p', {}, markCode(fix)),
    h('p', {}, referTo(section)),
    h('p', {}, 'This explanation is shown because NODE_ENV is development.'),
  ])
}

/** Shows the parts in backticks as code. */
function markCode(text: string) {
  return text.split('`').map((part, at) => (at % 2 === 0 ? part : h('code', {}, part)))
}

/** Creates the page that is shown after a link was sent. It never reveals whether the address is known. */
export function createVerifyRequestPage(page: VerifyRequestPage, texts: LibraryTexts): Content {
  const { mail } = page
  return {
    className: 'verify-request',
    heading: texts.checkMail,
    children: [
      h('p', {}, mail ? compose(texts.linkSentTo, { email: createAddress(mail.email) }) : texts.linkSent),
      mail && createResendForm(mail, texts),
    ],
  }
}

/** Creates a form that requests another mail to the same address. */
function createResendForm(mail: NonNullable<VerifyRequestPage['mail']>, texts: LibraryTexts) {
  const { email, action, csrfToken, link, signinUrl } = mail
  return [
    h('form', { action, method: 'POST' }, [
      ...createHiddenFields({ csrfToken, email, link }),
      h('button', { id: 'submitButton-again', type: 'submit', class: 'secondary' }, texts.sendAgain),
    ]),
    h('p', {}, h('a', { class: 'site', href: signinUrl }, texts.useAnotherAddress)),
  ]
}

/** Creates the page that confirms a mailed link. It shows the address, so that visitors notice links of other people. */
export function createConfirmPage(page: ConfirmPage, texts: LibraryTexts): Content {
  const { action, csrfToken, token, email, callbackUrl } = page
  return {
    className: 'verify-request',
    heading: texts.signIn,
    children: [
      h('p', {}, compose(texts.signInAs, { email: createAddress(email) })),
      h('p', {}, texts.onlyIfRequested),
      h('form', { action, method: 'POST' }, [
        ...createHiddenFields({ csrfToken, token, email, callbackUrl }),
        h('button', { id: 'submitButton', type: 'submit' }, texts.signIn),
      ]),
    ],
  }
}
