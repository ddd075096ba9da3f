import { h } from 'preact'
import type { LibraryTexts } from '../types/page-texts.ts'
import { findSignInMessage, type SignInMessage } from './error-text.ts'
import type { PageProvider, SignInPage } from './page.ts'
import { scriptUrl } from '../webauthn/script-url.ts'
import { type Content, createMessage } from './shell.ts'
import { createForm, type FormGroup, type PasskeyForms } from './sign-in-forms.ts'

/**
 * Creates the sign-in page: a button for each OAuth provider and a form for each other provider, in the configured
 * order. Mailed links, mailed codes and a passkey share one form. One button is the primary action: the button of the
 * first form, or else of the first provider.
 */
export function createSignInPage(
  page: SignInPage,
  texts: LibraryTexts,
  passkeyForms: PasskeyForms | undefined,
): Content {
  const groups = groupProviders(page.providers.filter(isShown))
  // The id must be unique on the page, so the other forms' buttons include the provider id.
  const main = groups.find(({ provider }) =>
    ['email', 'credentials', 'password', 'feature'].includes(provider.kind),
  )
  const primary = main ?? groups.find(({ provider }) => provider.kind === 'webauthn') ?? groups[0]
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
            passkeyForms,
          }),
        ]),
      ]),
    ],
    script: needsScript(page) ? scriptUrl(page.base) : undefined,
  }
}

/** Returns whether one of the forms needs the script. */
function needsScript({ providers }: SignInPage): boolean {
  return providers.some((provider) => isShown(provider) && provider.ceremony !== undefined)
}

/** Returns the brand colours of the providers, by their position on the page. */
export function listBrands(page: SignInPage): (string | undefined)[] {
  return page.providers.filter(isShown).map(({ style }) => style?.brandColor ?? style?.bg)
}

function isShown({ kind, credentials, formFields, form }: PageProvider): boolean {
  if (kind === 'feature') return form !== undefined
  if (kind === 'credentials' || kind === 'password') return credentials !== undefined
  return kind === 'webauthn' ? formFields !== undefined : true
}

/** Groups the providers that need nothing but an address: those that send mails, and the first such passkey provider. */
function groupProviders(shown: readonly PageProvider[]): FormGroup[] {
  const mails = shown.filter(({ kind }) => kind === 'email')
  const passkey = mails.length > 0 ? shown.find(takesOnlyAddress) : undefined
  const [first, ...others] = mails
  const members = [...mails, ...(passkey ? [passkey] : [])]
  const place = shown.find((provider) => members.includes(provider))
  return shown.flatMap((provider, position): FormGroup[] => {
    if (provider === place && first) return [{ provider: first, position, others, passkey }]
    return members.includes(provider) ? [] : [{ provider, position, others: [] }]
  })
}

function takesOnlyAddress({ kind, ceremony, formFields }: PageProvider): boolean {
  return kind === 'webauthn' && ceremony !== undefined && Object.keys(formFields ?? {}).join() === 'email'
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
