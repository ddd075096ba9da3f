import { type ComponentChild, h, isValidElement } from 'preact'
import { compose } from '../../pages/language.ts'
import { Part } from '../../pages/part.ts'
import type { FeaturePages } from '../../types/feature.ts'
import type { PageKit, ViewField, ViewPart } from '../../types/feature-page.ts'
import type { SecondFactorTexts } from './types.ts'

type Text = keyof SecondFactorTexts
type Kit = PageKit<Text>

/** The form that asks for a code, for an enrolment, a sign-in or a session. */
export type ShownForm = {
  /** The input that was refused. */
  readonly refused?: 'code' | 'passkey' | undefined
  /** Whether the user may skip the second factor in this browser. */
  readonly canRemember: boolean
  readonly enrolment?: ShownSecret | undefined
  /** Set if the user can use a passkey in place of a code. */
  readonly passkeys?: ShownPasskeys | undefined
}

/** The secret for the app. */
type ShownSecret = {
  readonly secret: string
  /** The `otpauth:` URI. */
  readonly uri: string
  /** The secret, sealed for the form. */
  readonly sealed: string
}

type ShownPasskeys = {
  /** The URL from which the script requests options, and to which it posts. */
  readonly url: string
  /** The URL of the script. */
  readonly script: string
}

/** Recovery codes, which are shown once. */
export type ShownCodes = {
  readonly recoveryCodes: readonly string[]
  readonly callbackUrl: string
}

export const pages: FeaturePages<Text> = {
  async code(data, kit) {
    const { refused, canRemember, enrolment, passkeys } = data as ShownForm
    const form = kit.form({
      ...(enrolment && { hidden: { setup: enrolment.sealed } }),
      fields: [codeField(kit), ...(canRemember ? [rememberField(kit)] : [])],
      button: kit.t(enrolment ? 'turnOn' : 'continue'),
    })
    return {
      heading: kit.t(enrolment ? 'setUpApp' : 'enterCode'),
      parts: [
        refused && kit.message(kit.t(refused === 'code' ? 'codeRefused' : 'passkeyFailed')),
        ...(enrolment ? await explainEnrolment(enrolment, kit) : [kit.text(kit.t('enterCodeText'))]),
        passkeys ? offerPasskey(form, passkeys, kit) : form,
        enrolment ? undefined : kit.text(kit.t('noCodeText')),
      ],
    }
  },
  'recovery-codes'(data, kit) {
    const { recoveryCodes, callbackUrl } = data as ShownCodes
    const file = { href: writeTextUrl(recoveryCodes), download: 'recovery-codes.txt' }
    return {
      heading: kit.t('keepCodes'),
      parts: [
        kit.text(kit.t('keepCodesText')),
        new Part(
          'list',
          h(
            'ul',
            { class: 'codes' },
            recoveryCodes.map((code) => h('li', {}, h('code', {}, code))),
          ),
        ),
        new Part('link', h('a', { class: 'button secondary', ...file }, kit.t('downloadCodes'))),
        new Part('link', h('a', { class: 'button', href: callbackUrl }, kit.t('continue'))),
      ],
    }
  },
}

function codeField({ t }: Kit): ViewField {
  return { name: 'code', label: t('code'), autocomplete: 'one-time-code' }
}

function rememberField({ t }: Kit): ViewField {
  return { name: 'remember', label: t('rememberDevice'), type: 'checkbox', value: 'true', required: false }
}

async function explainEnrolment(
  { secret, uri }: ShownSecret,
  { t, text, qrCode }: Kit,
): Promise<readonly (ViewPart | undefined)[]> {
  const code = await qrCode(uri)
  const link = h('a', { class: 'site', href: uri }, t('openInApp'))
  const key = (secret.match(/.{1,4}/g) ?? []).join(' ')
  return [
    code && text(t('scanCode')),
    code,
    new Part('text', h('p', {}, compose(t('addKey'), { link }))),
    new Part('text', h('p', {}, h('code', {}, key))),
  ]
}

/** Adds a button to the form that asks for a passkey, and the attributes that the script reads. The script shows the button. */
function offerPasskey(form: ViewPart, { url, script }: ShownPasskeys, { t }: Kit): ViewPart {
  const element = form instanceof Part && isValidElement(form.element) ? form.element : h('form', {})
  const { children, ...attributes } = element.props
  const read = { 'data-options-url': url, 'data-callback-url': url, 'data-failed': t('passkeyFailed') }
  const button: ComponentChild = h(
    'button',
    {
      type: 'submit',
      class: 'secondary',
      'data-ceremony': true,
      value: 'authenticate',
      formNoValidate: true,
      hidden: true,
    },
    t('usePasskey'),
  )
  return new Part('form', h('form', { ...attributes, ...read }, [children, button]), script)
}

/** A `data:` URL needs no script, and no second request that would have to show the codes again. */
function writeTextUrl(lines: readonly string[]): string {
  return `data:text/plain,${encodeURIComponent(lines.map((line) => `${line}\n`).join(''))}`
}
