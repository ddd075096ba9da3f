import type { Settings } from '../../config/settings.ts'
import type { PageLocale } from '../../types/page-texts.ts'
import { replaceTexts } from '../replace-texts.ts'
import type { SecondFactorTexts } from './types.ts'

/** The texts without those of the site. */
const texts: Readonly<Record<PageLocale, SecondFactorTexts>> = {
  en: {
    secondFactor: 'Second factor',
    factorOff: 'An authenticator app protects your account even if someone else learns your password.',
    factorOn: 'An authenticator app is on. Recovery codes left: {count}.',
    useAnotherApp: 'Use another authenticator app',
    renewCodes: 'Create new recovery codes',
    turnOffFactor: 'Turn off the second factor',
  },
  de: {
    secondFactor: 'Zweiter Faktor',
    factorOff:
      'Eine Authenticator-App schützt Ihr Konto auch dann, wenn jemand anderes Ihr Passwort erfährt.',
    factorOn: 'Eine Authenticator-App ist eingeschaltet. Verbleibende Wiederherstellungscodes: {count}.',
    useAnotherApp: 'Andere Authenticator-App verwenden',
    renewCodes: 'Neue Wiederherstellungscodes erstellen',
    turnOffFactor: 'Zweiten Faktor ausschalten',
  },
  ar: {
    secondFactor: 'العامل الثاني',
    factorOff: 'يحمي تطبيق المصادقة حسابك حتى إذا عرف شخص آخر كلمة مرورك.',
    factorOn: 'تطبيق المصادقة مفعّل. رموز الاسترداد المتبقية: {count}.',
    useAnotherApp: 'استخدام تطبيق مصادقة آخر',
    renewCodes: 'إنشاء رموز استرداد جديدة',
    turnOffFactor: 'إيقاف العامل الثاني',
  },
}

/** The texts of the section of the account page, by language, with those of the site. */
export function textsOf(replaced: Settings['texts']) {
  return replaceTexts(texts, replaced)
}
