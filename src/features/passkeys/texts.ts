import type { Settings } from '../../config/settings.ts'
import type { PageLocale } from '../../types/page-texts.ts'
import { passkeyFailed } from '../../webauthn/failed-text.ts'
import { replaceTexts } from '../replace-texts.ts'
import type { PasskeyTexts } from './types.ts'

/** The texts without those of the site. */
const texts: Readonly<Record<PageLocale, PasskeyTexts>> = {
  en: {
    byPasskey: 'Passkey',
    registerWith: 'Register with {name}',
    passkeyFailed: passkeyFailed.en,
  },
  de: {
    byPasskey: 'Passkey',
    registerWith: 'Mit {name} registrieren',
    passkeyFailed: passkeyFailed.de,
  },
  ar: {
    byPasskey: 'مفتاح المرور',
    registerWith: 'التسجيل باستخدام {name}',
    passkeyFailed: passkeyFailed.ar,
  },
}

/** The texts of the form, by language, with those of the site. */
export function textsOf(replaced: Settings['texts']) {
  return replaceTexts(texts, replaced)
}
