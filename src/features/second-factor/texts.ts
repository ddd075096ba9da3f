import type { Settings } from '../../config/settings.ts'
import type { PageLocale } from '../../types/page-texts.ts'
import { passkeyFailed } from '../../webauthn/failed-text.ts'
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
    setUpApp: 'Set up an authenticator app',
    enterCode: 'Enter your code',
    enterCodeText: 'Enter the code that your authenticator app shows, or one of your recovery codes.',
    noCodeText: 'If you have neither the app nor a recovery code, ask the operator of this site for help.',
    codeRefused: 'The code is wrong or was already used.',
    scanCode: 'Scan this QR code with your authenticator app.',
    addKey: 'You can also add this key to your app, or {link}. Then enter the code that the app shows.',
    openInApp: 'open it in an app on this device',
    rememberDevice: 'Do not ask again on this device',
    usePasskey: 'Use a passkey instead',
    turnOn: 'Turn on',
    keepCodes: 'Keep your recovery codes',
    keepCodesText:
      'If you lose your app, sign in with one of these codes. Each works once, and they are not shown again.',
    downloadCodes: 'Download the codes',
    passkeyFailed: passkeyFailed.en,
  },
  de: {
    secondFactor: 'Zweiter Faktor',
    factorOff:
      'Eine Authenticator-App schützt Ihr Konto auch dann, wenn jemand anderes Ihr Passwort erfährt.',
    factorOn: 'Eine Authenticator-App ist eingeschaltet. Verbleibende Wiederherstellungscodes: {count}.',
    useAnotherApp: 'Andere Authenticator-App verwenden',
    renewCodes: 'Neue Wiederherstellungscodes erstellen',
    turnOffFactor: 'Zweiten Faktor ausschalten',
    setUpApp: 'Authenticator-App einrichten',
    enterCode: 'Code eingeben',
    enterCodeText:
      'Geben Sie den Code ein, den Ihre Authenticator-App anzeigt, oder einen Ihrer Wiederherstellungscodes.',
    noCodeText:
      'Wenn Sie weder die App noch einen Wiederherstellungscode haben, wenden Sie sich an den Betreiber dieser Website.',
    codeRefused: 'Der Code ist falsch oder wurde bereits verwendet.',
    scanCode: 'Scannen Sie diesen QR-Code mit Ihrer Authenticator-App.',
    addKey:
      'Sie können der App auch diesen Schlüssel hinzufügen, oder {link}. Geben Sie dann den Code ein, den die App anzeigt.',
    openInApp: 'öffnen Sie ihn in einer App auf diesem Gerät',
    rememberDevice: 'Auf diesem Gerät nicht mehr fragen',
    usePasskey: 'Stattdessen einen Passkey verwenden',
    turnOn: 'Einschalten',
    keepCodes: 'Bewahren Sie Ihre Wiederherstellungscodes auf',
    keepCodesText:
      'Ohne Ihre App funktioniert jeder dieser Codes einmal. Sie werden nicht noch einmal angezeigt.',
    downloadCodes: 'Codes herunterladen',
    passkeyFailed: passkeyFailed.de,
  },
  ar: {
    secondFactor: 'العامل الثاني',
    factorOff: 'يحمي تطبيق المصادقة حسابك حتى إذا عرف شخص آخر كلمة مرورك.',
    factorOn: 'تطبيق المصادقة مفعّل. رموز الاسترداد المتبقية: {count}.',
    useAnotherApp: 'استخدام تطبيق مصادقة آخر',
    renewCodes: 'إنشاء رموز استرداد جديدة',
    turnOffFactor: 'إيقاف العامل الثاني',
    setUpApp: 'إعداد تطبيق المصادقة',
    enterCode: 'إدخال الرمز',
    enterCodeText: 'أدخل الرمز الذي يعرضه تطبيق المصادقة أو أحد رموز الاسترداد.',
    noCodeText: 'إذا لم يكن لديك التطبيق ولا رمز استرداد، فاطلب المساعدة من مشغّل هذا الموقع.',
    codeRefused: 'الرمز غير صحيح أو سبق استخدامه.',
    scanCode: 'امسح رمز QR هذا ضوئيًا باستخدام تطبيق المصادقة.',
    addKey: 'يمكنك أيضًا إضافة هذا المفتاح إلى تطبيقك أو {link}. ثم أدخل الرمز الذي يعرضه التطبيق.',
    openInApp: 'افتحه في تطبيق على هذا الجهاز',
    rememberDevice: 'عدم السؤال مجددًا على هذا الجهاز',
    usePasskey: 'استخدام مفتاح مرور بدلًا من ذلك',
    turnOn: 'تفعيل',
    keepCodes: 'احتفظ برموز الاسترداد',
    keepCodesText: 'يعمل كل رمز من هذه الرموز مرة واحدة من دون تطبيقك. ولن تُعرض مرة أخرى.',
    downloadCodes: 'تنزيل الرموز',
    passkeyFailed: passkeyFailed.ar,
  },
}

/** The texts of its pages and of its section of the account page, by language, with those of the site. */
export function textsOf(replaced: Settings['texts']) {
  return replaceTexts(texts, replaced)
}
