import { type ComponentChild, h } from 'preact'
import type { QrCode } from './qr-code.ts'
import type { LibraryTexts } from '../types/page-texts.ts'
import type { EnrolmentForm, FactorPage, RecoveryCodesPage } from './page.ts'
import { compose } from './language.ts'
import { type Content, createHiddenFields, createMessage, createPasskeyScript } from './shell.ts'

/** Creates the form for the code of an authenticator app, or for a passkey in its place. */
export function createFactorPage(page: FactorPage, texts: LibraryTexts): Content {
  const { action, csrfToken, callbackUrl, refused, canRemember, enrolment, passkeyBase } = page
  const heading = enrolment ? texts.setUpApp : texts.enterCode
  return {
    className: 'signin',
    heading,
    children: [
      refused && createMessage(refused === 'code' ? texts.codeRefused : texts.passkeyFailed),
      h('form', { action, method: 'POST', ...(passkeyBase && describeForm(action, texts)) }, [
        ...createHiddenFields({ csrfToken, callbackUrl, setup: enrolment?.sealed }),
        ...(enrolment ? explainEnrolment(enrolment, texts) : [h('p', {}, texts.enterCodeText)]),
        h('label', { class: 'section-header', for: 'input-code' }, texts.code),
        h('input', {
          id: 'input-code',
          name: 'code',
          type: 'text',
          autocomplete: 'one-time-code',
          spellcheck: false,
          required: true,
        }),
        canRemember &&
          h('label', {}, [
            h('input', { name: 'remember', type: 'checkbox', value: 'true' }),
            ` ${texts.rememberDevice}`,
          ]),
        h('button', { id: 'submitButton', type: 'submit' }, enrolment ? texts.turnOn : texts.continue),
        passkeyBase && createPasskeyButton(texts),
      ]),
      !enrolment && h('p', {}, texts.noCodeText),
      passkeyBase && createPasskeyScript(passkeyBase),
    ],
  }
}

/** Returns the attributes that the script reads. It requests options from the page, and posts to it. */
function describeForm(action: string, texts: LibraryTexts) {
  return { 'data-options-url': action, 'data-callback-url': action, 'data-failed': texts.passkeyFailed }
}

/** Creates the button that asks for a passkey. The script shows it. */
function createPasskeyButton(texts: LibraryTexts): ComponentChild {
  const attributes = { type: 'submit', class: 'secondary', 'data-ceremony': true, value: 'authenticate' }
  return h('button', { ...attributes, formNoValidate: true, hidden: true }, texts.usePasskey)
}

function explainEnrolment({ secret, uri, qrCode }: EnrolmentForm, texts: LibraryTexts): ComponentChild[] {
  return [
    ...(qrCode ? showQrCode(qrCode, texts.scanCode) : []),
    h('p', {}, compose(texts.addKey, { link: h('a', { class: 'site', href: uri }, texts.openInApp) })),
    h('p', {}, h('code', {}, (secret.match(/.{1,4}/g) ?? []).join(' '))),
  ]
}

function showQrCode({ size, path }: QrCode, text: string): ComponentChild[] {
  const attributes = { class: 'qr', 'aria-hidden': true, viewBox: `0 0 ${size} ${size}` }
  // Cameras expect dark modules on a light ground, even in a dark colour scheme.
  const ground = h('rect', { width: size, height: size, fill: '#fff' })
  return [h('p', {}, text), h('svg', attributes, [ground, h('path', { d: path, fill: '#000' })])]
}

/** Creates the page that shows recovery codes. */
export function createRecoveryCodesPage(page: RecoveryCodesPage, texts: LibraryTexts): Content {
  const { recoveryCodes, callbackUrl } = page
  const heading = texts.keepCodes
  return {
    className: 'signin',
    heading,
    children: [
      h('p', {}, texts.keepCodesText),
      h(
        'ul',
        { class: 'codes' },
        recoveryCodes.map((code) => h('li', {}, h('code', {}, code))),
      ),
      h(
        'a',
        { class: 'button secondary', href: writeTextUrl(recoveryCodes), download: 'recovery-codes.txt' },
        [texts.downloadCodes],
      ),
      h('a', { class: 'button', href: callbackUrl }, texts.continue),
    ],
  }
}

/** A `data:` URL needs no script, and no second request that would have to show the codes again. */
function writeTextUrl(lines: readonly string[]): string {
  return `data:text/plain,${encodeURIComponent(lines.map((line) => `${line}\n`).join(''))}`
}
