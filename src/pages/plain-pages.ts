import { h } from 'preact'
import { findErrorText } from './error-text.ts'
import { type Content, createHiddenFields } from './shell.ts'
import type { ConfirmPage, ErrorPage, SignOutPage, VerifyRequestPage } from './page.ts'

/** Creates the page that asks for confirmation before signing out. */
export function createSignOutPage({ action, csrfToken, callbackUrl }: SignOutPage): Content {
  return {
    title: 'Sign Out',
    className: 'signout',
    heading: 'Signout',
    children: [
      h('p', {}, 'Do you want to sign out?'),
      h('form', { action, method: 'POST' }, [
        ...createHiddenFields({ csrfToken, callbackUrl }),
        h('button', { id: 'submitButton', type: 'submit' }, 'Sign out'),
      ]),
    ],
  }
}

/** Creates the page that shows an error and the next step. */
export function createErrorPage({ error, origin, signinUrl, explanation, trace }: ErrorPage): Content {
  const { heading, text, retry } = findErrorText(error)
  return {
    title: 'Error',
    className: 'error',
    heading,
    children: [
      h('div', { class: 'message' }, [
        h('p', {}, text),
        retry && h('a', { class: 'button', href: signinUrl }, 'Sign in'),
        !retry && origin !== undefined && h('p', {}, createSiteLink(origin)),
      ]),
      explanation !== undefined && createExplanation(explanation),
      trace !== undefined && [
        h('details', {}, [
          h('summary', {}, 'What happened'),
          h(
            'ol',
            {},
            trace.path.map((state) => h('li', {}, state)),
          ),
        ]),
        h('p', { class: 'trace' }, h('a', { class: 'site', href: trace.url }, 'Show the trace')),
      ],
    ],
  }
}

/** Explains the error to developers. The link is a path in the repository, so it is shown as text. */
function createExplanation({ type, sentence, fix, link }: NonNullable<ErrorPage['explanation']>) {
  return h('section', { class: 'explanation' }, [
    h('h2', {}, type),
    h('p', {}, sentence),
    h('p', {}, fix),
    h('p', {}, ['See ', h('code', {}, link)]),
    h('p', {}, 'This explanation is shown because NODE_ENV is development.'),
  ])
}

/** Creates the page that is shown after a mail was sent. It never reveals whether the address is known. */
export function createVerifyRequestPage({ origin, form }: VerifyRequestPage): Content {
  return {
    title: 'Verify Request',
    className: 'verify-request',
    heading: 'Check your email',
    children: [
      ...(form
        ? createCodeForm(form)
        : [h('p', {}, 'We sent you a link. Open it to sign in. You can close this page.')]),
      h('p', {}, createSiteLink(origin)),
    ],
  }
}

/** Creates a form that needs no script. Its attributes make keyboards show digits, and browsers offer the code. */
function createCodeForm({ action, csrfToken, attempts }: NonNullable<VerifyRequestPage['form']>) {
  const left = attempts === 1 ? 'You have one more attempt.' : `You have ${attempts} more attempts.`
  return [
    attempts !== undefined &&
      h('div', { class: 'error', role: 'alert' }, h('p', {}, `That code does not match. ${left}`)),
    h('p', {}, 'We sent you a code with six digits. Enter it here, in this browser.'),
    h('form', { action, method: 'POST' }, [
      ...createHiddenFields({ csrfToken }),
      h('label', { class: 'section-header', for: 'input-code' }, 'Code'),
      h('input', {
        id: 'input-code',
        name: 'code',
        type: 'text',
        inputmode: 'numeric',
        autocomplete: 'one-time-code',
        autofocus: true,
        required: true,
      }),
      h('button', { id: 'submitButton', type: 'submit' }, 'Sign in'),
    ]),
  ]
}

/** Creates the page that confirms a mailed link. It shows the address, so that visitors notice links of other people. */
export function createConfirmPage({ action, csrfToken, token, email, callbackUrl }: ConfirmPage): Content {
  return {
    title: 'Sign In',
    className: 'verify-request',
    heading: 'Sign in',
    children: [
      h('p', {}, ['Sign in as ', h('strong', {}, email), '?']),
      h('p', {}, 'Continue only if you requested this link.'),
      h('form', { action, method: 'POST' }, [
        ...createHiddenFields({ csrfToken, token, email, callbackUrl }),
        h('button', { id: 'submitButton', type: 'submit' }, 'Sign in'),
      ]),
    ],
  }
}

function createSiteLink(origin: string) {
  return h('a', { class: 'site', href: origin }, new URL(origin).host)
}
