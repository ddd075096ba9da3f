import { h } from 'preact'
import type { LibraryTexts } from '../types/page-texts.ts'
import { findSignInMessage, type SignInMessage } from './error-text.ts'
import type { FormGroup, PageProvider, SignInPage } from './page.ts'
import { type Content, createMessage } from './shell.ts'
import { createForm } from './sign-in-forms.ts'

/**
 * Creates the sign-in page: a button for each OAuth provider and a form for each other provider, in the configured
 * order. Providers that need nothing but an address share one form. One button is the primary action: the button of the
 * first form, or else of the first provider.
 */
export function createSignInPage(page: SignInPage, texts: LibraryTexts): Content {
  const shown = page.providers.filter(isShown)
  const groups = groupProviders(shown)
  // The id must be unique on the page, so the other forms' buttons include the provider id.
  const main = groups.find(({ provider }) =>
    ['email', 'credentials', 'password', 'feature'].includes(provider.kind),
  )
  const primary = main ?? groups.find(({ provider }) => provider.own) ?? groups[0]
  const message = findSignInMessage(page.error, page.code)
  const place = message && findPlace(message, groups, page.refusedBy)
  return {
    className: 'signin',
    heading: texts.signIn,
    children: [
      message && !place && createMessage(texts[message.text], { isNotice: message.isNotice }),
      ...groups.flatMap((group, at) => [
        isApart(group, groups[at - 1]) && h('hr', { 'data-text': texts.or }),
        h('div', { class: 'provider' }, [
          createForm({
            ...group,
            page,
            texts,
            buttonId: group === main ? 'submitButton' : `submitButton-${group.provider.id}`,
            isPrimary: group === primary,
            message: group === place ? message?.text : undefined,
          }),
        ]),
      ]),
    ],
    script: shown.map(({ own }) => own?.script).find(Boolean),
  }
}

/** Returns the brand colours of the providers, by their position on the page. */
export function listBrands(page: SignInPage): (string | undefined)[] {
  return page.providers.filter(isShown).map(({ style }) => style?.brandColor ?? style?.bg)
}

function isShown({ kind, credentials, form, own }: PageProvider): boolean {
  return kind === 'oauth' || kind === 'email' || (credentials ?? form ?? own) !== undefined
}

/** Groups the providers that need nothing but an address: those that send mails, and the first other one. */
function groupProviders(shown: readonly PageProvider[]): FormGroup[] {
  const mails = shown.filter(({ kind }) => kind === 'email')
  const guest = mails.length > 0 ? shown.find(({ own }) => own?.share) : undefined
  const [first, ...others] = mails
  const members = [...mails, ...(guest ? [guest] : [])]
  const place = shown.find((provider) => members.includes(provider))
  return shown.flatMap((provider, position): FormGroup[] => {
    if (provider === place && first) return [{ provider: first, position, others, guest }]
    return members.includes(provider) ? [] : [{ provider, position, others: [] }]
  })
}

/** Consecutive buttons are grouped; a form is separated from the element before it. */
function isApart({ provider }: FormGroup, previous: FormGroup | undefined): boolean {
  return previous !== undefined && (provider.kind !== 'oauth' || previous.provider.kind !== 'oauth')
}

/** Returns the form that the message is about. With several password forms, only the refused one is. */
function findPlace(
  { form }: SignInMessage,
  groups: readonly FormGroup[],
  refusedBy: string | undefined,
): FormGroup | undefined {
  if (form === undefined) return undefined
  const kinds: readonly string[] = form === 'email' ? ['email'] : ['credentials', 'password']
  const found = groups.filter(({ provider }) => kinds.includes(provider.kind))
  return found.length > 1 ? found.find(({ provider }) => provider.id === refusedBy) : found[0]
}
