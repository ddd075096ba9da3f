import { h } from 'preact'
import { findErrorText } from './error-text.ts'
import { createHiddenFields } from './hidden-fields.ts'
import type { ConfirmPage, ErrorPage, SignOutPage, VerifyRequestPage } from './page.ts'
import type { Content } from './shell.ts'

/** The page that asks before it signs out. */
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

/** The page that says what went wrong, and leads on. */
export function createErrorPage({ error, origin, signinUrl, trace }: ErrorPage): Content {
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
      trace !== undefined && [
        h('details', {}, [
          h('summary', {}, 'What happened'),
          h(
            'ol',
            {},
            trace.path.map((state) => h('li', {}, state)),
          ),
        ]),
        h('p', { class: 'trace' }, h('a', { class: 'site', href: trace.url }, 'See the trace of it')),
      ],
    ],
  }
}

/** The page after a link was mailed. It never says whether the address is known. */
export function createVerifyRequestPage({ origin }: VerifyRequestPage): Content {
  return {
    title: 'Verify Request',
    className: 'verify-request',
    heading: 'Check your email',
    children: [
      h('p', {}, 'We sent you a link. Open it to sign in; you may close this page.'),
      h('p', {}, createSiteLink(origin)),
    ],
  }
}

/** The page whose button takes a mailed link. It names the address, so that a visitor notices a link of somebody else. */
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
