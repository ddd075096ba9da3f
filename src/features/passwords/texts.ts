import type { PageLocale } from '../../types/page-texts.ts'
import { replaceTexts } from '../replace-texts.ts'
import type { Settings } from '../../config/settings.ts'
import type { PasswordTexts } from './types.ts'

/** The texts without those of the site. */
const texts: Readonly<Record<PageLocale, PasswordTexts>> = {
  en: {
    setPassword: 'Set or reset your password',
    sendLinkText: 'We will send you a link to a page where you can choose a password.',
    choosePassword: 'Choose a password',
    choosePasswordFor: 'Choose a password for {email}. Continue only if you requested this link.',
    savePassword: 'Set the password',
    changePassword: 'Change the password',
    currentPassword: 'Current password',
    newPassword: 'New password (at least {count} characters)',
    passwordTooShort: 'Choose a password with at least {count} characters, for example a sentence.',
    passwordTooLong: 'The password is too long. Choose a shorter one.',
    passwordBreached: 'This password is known from a data breach. Choose another one.',
    passwordMismatch: 'The current password does not match. Check it and try again.',
  },
  de: {
    setPassword: 'Passwort festlegen oder zurücksetzen',
    sendLinkText: 'Wir senden Ihnen einen Link zu einer Seite, auf der Sie ein Passwort wählen.',
    choosePassword: 'Passwort wählen',
    choosePasswordFor:
      'Wählen Sie ein Passwort für {email}. Fahren Sie nur fort, wenn Sie diesen Link angefordert haben.',
    savePassword: 'Passwort festlegen',
    changePassword: 'Passwort ändern',
    currentPassword: 'Aktuelles Passwort',
    newPassword: 'Neues Passwort (mindestens {count} Zeichen)',
    passwordTooShort: 'Wählen Sie ein Passwort mit mindestens {count} Zeichen, zum Beispiel einen Satz.',
    passwordTooLong: 'Das Passwort ist zu lang. Wählen Sie ein kürzeres.',
    passwordBreached: 'Dieses Passwort ist aus einem Datenleck bekannt. Wählen Sie ein anderes.',
    passwordMismatch: 'Das aktuelle Passwort stimmt nicht. Bitte prüfen Sie es und versuchen Sie es erneut.',
  },
  ar: {
    setPassword: 'تعيين كلمة المرور أو إعادة تعيينها',
    sendLinkText: 'سنرسل إليك رابطًا إلى صفحة تختار فيها كلمة مرور.',
    choosePassword: 'اختيار كلمة مرور',
    choosePasswordFor: 'اختر كلمة مرور للحساب {email}. تابع فقط إذا كنت قد طلبت هذا الرابط.',
    savePassword: 'تعيين كلمة المرور',
    changePassword: 'تغيير كلمة المرور',
    currentPassword: 'كلمة المرور الحالية',
    newPassword: 'كلمة المرور الجديدة (الحد الأدنى لعدد الأحرف: {count})',
    passwordTooShort: 'اختر كلمة مرور لا يقل عدد أحرفها عن {count}، كجملة مثلًا.',
    passwordTooLong: 'كلمة المرور طويلة جدًا. اختر كلمة أقصر.',
    passwordBreached: 'ظهرت كلمة المرور هذه في تسريب بيانات. اختر كلمة أخرى.',
    passwordMismatch: 'كلمة المرور الحالية غير صحيحة. تحقق منها وحاول مرة أخرى.',
  },
}

/** The texts of the pages, by language, with those of the site. */
export function textsOf(replaced: Settings['texts']) {
  return replaceTexts(texts, replaced)
}
