import { type ComponentChild, type ComponentChildren, h } from 'preact'
import type { LibraryTexts } from '../types/page-texts.ts'
import type { CredentialInput } from '../types/provider.ts'
import { fill } from './language.ts'
import type { PageProvider, SignInPage } from './page.ts'
import {
  createButton,
  createHidden,
  createInput,
  type FormParts,
  labelOf,
  nameOf,
  type PasskeyForms,
  translate,
} from './sign-in-forms.ts'

/** Creates the form of a passkey provider. */
export const create: PasskeyForms['create'] = (parts) => {
  const { page, texts, provider } = parts
  return h(
    'form',
    { action: `${page.base}/callback/${provider.id}`, method: 'POST', ...describe(provider, page, texts) },
    [
      createHidden(page),
      createInputs(provider, translate(provider.formFields ?? {}, texts)),
      createCeremonies(provider, parts),
    ],
  )
}

/** Creates the parts with which the form of an e-mail provider also asks for a passkey. */
export const share: PasskeyForms['share'] = (passkey, parts) => {
  const { page, texts } = parts
  return {
    attributes: {
      ...describe(passkey, page, texts),
      'data-callback-url': `${page.base}/callback/${passkey.id}`,
    },
    field: passkey.formFields?.email,
    buttons: createCeremonies(passkey, {
      ...parts,
      buttonId: `submitButton-${passkey.id}`,
      isPrimary: false,
    }),
  }
}

/** Returns the attributes by which the script recognises its forms. */
function describe({ id, ceremony }: PageProvider, { base }: SignInPage, texts: LibraryTexts) {
  return {
    id: `${id}-form`,
    'data-options-url': ceremony && `${base}/webauthn-options/${id}`,
    'data-conditional': ceremony?.conditional ? '' : undefined,
    'data-failed': ceremony && texts.passkeyFailed,
  }
}

function createInputs(
  provider: PageProvider,
  fields: Readonly<Record<string, CredentialInput>>,
): ComponentChildren {
  return Object.entries(fields).map(([name, field]) =>
    createInput(provider, name, field, { 'data-form-field': true }),
  )
}

/**
 * Creates the buttons of a passkey form, whose values the script reads. Only registration requires the fields. In a
 * form that posts to another URL, these buttons post to the callback.
 */
function createCeremonies(passkey: PageProvider, parts: FormParts): ComponentChild {
  const { page, texts, provider, buttonId: id, isPrimary } = parts
  const { ceremony, formFields } = passkey
  const common = {
    'data-ceremony': ceremony && true,
    formaction: passkey === provider ? undefined : `${page.base}/callback/${passkey.id}`,
  }
  const signIn = labelOf(passkey, texts)
  if (!ceremony?.twoButtons) {
    const formNoValidate = passkey !== provider && formFields?.email?.required !== true
    return createButton({ id, ...common, formNoValidate }, signIn, isPrimary)
  }
  return [
    createButton({ id, ...common, value: 'authenticate', formNoValidate: true }, signIn, isPrimary),
    createButton(
      { id: `${id}-register`, ...common, value: 'register' },
      fill(texts.registerWith, { name: nameOf(passkey, texts) }),
    ),
  ]
}
