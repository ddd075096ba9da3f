import { type ComponentChild, type ComponentChildren, h } from 'preact'
import type { WebAuthnSettings } from '../../config/settings.ts'
import type { FormKit } from '../../pages/library-feature.ts'
import type { FormParts, PageProvider } from '../../pages/page.ts'
import { createButton, createHidden, createInput, translate } from '../../pages/sign-in-forms.ts'
import type { CredentialInput } from '../../types/provider.ts'
import { scriptUrl } from '../../webauthn/script-url.ts'

/** A provider whose form is shown. */
interface Shown {
  readonly id: string
  readonly name: string
  readonly fields: Readonly<Record<string, CredentialInput>>
  /** Absent if the provider does not use the script. */
  readonly ceremony: Ceremony | undefined
  readonly kit: FormKit
}

interface Ceremony {
  /** Whether to offer passkeys while the user types. */
  readonly conditional: boolean
  /** Whether the form has separate buttons to sign in and to register, because the server does not look users up. */
  readonly twoButtons: boolean
}

/** Describes the form of a provider. Without fields, none is shown. */
export function describeForm(
  { id, name: given, config }: WebAuthnSettings,
  kit: FormKit,
): Partial<PageProvider> | undefined {
  const { formFields: fields } = config
  if (!fields) return undefined
  const name = given === 'Passkey' ? kit.t('byPasskey') : given
  const ceremony = describeCeremony(config)
  const shown = { id, name, fields, ceremony, kit }
  const needsOnlyAddress = ceremony && Object.keys(fields).join() === 'email'
  return {
    name,
    own: {
      create: (parts) => createForm(shown, parts),
      share: needsOnlyAddress ? (parts) => shareForm(shown, parts) : undefined,
      script: ceremony && scriptUrl(kit.base),
    },
  }
}

function describeCeremony(config: WebAuthnSettings['config']): Ceremony | undefined {
  if (config.simpleWebAuthnBrowserVersion === false) return undefined
  return {
    conditional: config.enableConditionalUI === true,
    twoButtons: config.getUserInfo === undefined,
  }
}

function createForm(shown: Shown, parts: FormParts): ComponentChild {
  const { page, texts, provider } = parts
  const fields = Object.entries(translate(shown.fields, texts))
  return h('form', { action: callbackOf(shown), method: 'POST', ...describe(shown) }, [
    createHidden(page),
    fields.map(([name, field]) => createInput(provider, name, field, { 'data-form-field': true })),
    createCeremonies(shown, parts, {}),
  ])
}

/** Creates the parts with which the form of an e-mail provider also asks for a passkey. Its buttons post to the callback. */
function shareForm(shown: Shown, parts: FormParts) {
  const own = { ...parts, buttonId: `submitButton-${shown.id}`, isPrimary: false }
  const { email } = shown.fields
  return {
    attributes: { ...describe(shown), 'data-callback-url': callbackOf(shown) },
    field: email,
    buttons: createCeremonies(shown, own, { formaction: callbackOf(shown) }, email?.required !== true),
  }
}

function callbackOf({ id, kit }: Shown): string {
  return `${kit.base}/callback/${id}`
}

/** Returns the attributes by which the script recognises its forms. */
function describe({ id, ceremony, kit }: Shown) {
  return {
    id: `${id}-form`,
    'data-options-url': ceremony && `${kit.base}/webauthn-options/${id}`,
    'data-conditional': ceremony?.conditional ? '' : undefined,
    'data-failed': ceremony && kit.t('passkeyFailed'),
  }
}

/**
 * Creates the buttons, whose values the script reads. Only registration requires the fields.
 *
 * @param formNoValidate whether the only button ignores the fields, which then belong to another provider
 */
function createCeremonies(
  { name, ceremony, kit }: Shown,
  { buttonId: id, isPrimary }: FormParts,
  target: { readonly formaction?: string },
  formNoValidate = false,
): ComponentChildren {
  const common = { 'data-ceremony': ceremony && true, ...target }
  const signIn = kit.t('signInWith', { name })
  if (!ceremony?.twoButtons) return createButton({ id, ...common, formNoValidate }, signIn, isPrimary)
  return [
    createButton({ id, ...common, value: 'authenticate', formNoValidate: true }, signIn, isPrimary),
    createButton({ id: `${id}-register`, ...common, value: 'register' }, kit.t('registerWith', { name })),
  ]
}
