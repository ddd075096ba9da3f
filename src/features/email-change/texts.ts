import type { PageLocale } from '../../types/page-texts.ts'
import { replaceTexts } from '../replace-texts.ts'
import type { Settings } from '../../config/settings.ts'
import type { EmailChangeTexts } from './types.ts'

/** The texts without those of the site. */
const texts: Readonly<Record<PageLocale, EmailChangeTexts>> = {
  en: {
    emailAddress: 'Email address',
    newEmailAddress: 'New email address',
    changeEmail: 'Change email address',
    changeYourEmail: 'Change your email address',
    emailChanged: 'Your email address was changed',
    emailNotChanged: 'Your email address was not changed',
    emailInvalid: 'Enter a complete email address, such as name@example.com.',
    emailSame: 'This is already your email address. Enter another one.',
    emailLinkExpired:
      'This link has expired, was already used, or belongs to another account. Request a new one.',
    emailTaken: 'Another account has this email address. Choose another address.',
    emailIs: 'Your email address is {email}.',
    emailLinkText: 'We will send a link to the new address. Open it in this browser.',
    messageSentTo: 'We sent a message to {email}. Follow its instructions in this browser.',
    changeEmailTo: 'Change your email address to {email}?',
    emailWas: 'It is currently {email}.',
    emailChangeText: 'Continue only if you requested this link. This signs you out on your other devices.',
    saveEmail: 'Change the address',
    emailIsNow: 'Your email address is now {email}.',
    requestNewLink: 'Request a new link',
  },
  de: {
    emailAddress: 'E-Mail-Adresse',
    newEmailAddress: 'Neue E-Mail-Adresse',
    changeEmail: 'E-Mail-Adresse ändern',
    changeYourEmail: 'E-Mail-Adresse ändern',
    emailChanged: 'Ihre E-Mail-Adresse wurde geändert',
    emailNotChanged: 'Ihre E-Mail-Adresse wurde nicht geändert',
    emailInvalid: 'Geben Sie eine vollständige E-Mail-Adresse ein, zum Beispiel name@example.com.',
    emailSame: 'Das ist bereits Ihre E-Mail-Adresse. Geben Sie eine andere ein.',
    emailLinkExpired:
      'Dieser Link ist abgelaufen, wurde bereits verwendet oder gehört zu einem anderen Konto. Fordern Sie einen neuen an.',
    emailTaken: 'Diese E-Mail-Adresse gehört zu einem anderen Konto. Wählen Sie eine andere.',
    emailIs: 'Ihre E-Mail-Adresse ist {email}.',
    emailLinkText: 'Wir senden einen Link an die neue Adresse, den Sie in diesem Browser öffnen.',
    messageSentTo:
      'Wir haben eine Nachricht an {email} gesendet. Folgen Sie in diesem Browser den Anweisungen darin.',
    changeEmailTo: 'Ihre E-Mail-Adresse zu {email} ändern?',
    emailWas: 'Bisher war sie {email}.',
    emailChangeText:
      'Fahren Sie nur fort, wenn Sie diesen Link angefordert haben. Sie werden auf Ihren anderen Geräten abgemeldet.',
    saveEmail: 'Adresse ändern',
    emailIsNow: 'Ihre E-Mail-Adresse ist jetzt {email}.',
    requestNewLink: 'Neuen Link anfordern',
  },
  ar: {
    emailAddress: 'عنوان البريد الإلكتروني',
    newEmailAddress: 'عنوان البريد الإلكتروني الجديد',
    changeEmail: 'تغيير عنوان البريد الإلكتروني',
    changeYourEmail: 'تغيير عنوان بريدك الإلكتروني',
    emailChanged: 'تم تغيير عنوان بريدك الإلكتروني',
    emailNotChanged: 'لم يتغير عنوان بريدك الإلكتروني',
    emailInvalid: 'أدخل عنوان بريد إلكتروني كاملًا، مثل name@example.com.',
    emailSame: 'هذا هو عنوان بريدك الإلكتروني الحالي. أدخل عنوانًا آخر.',
    emailLinkExpired: 'انتهت صلاحية هذا الرابط أو سبق استخدامه أو يخص حسابًا آخر. اطلب رابطًا جديدًا.',
    emailTaken: 'عنوان البريد هذا مستخدم في حساب آخر. اختر عنوانًا آخر.',
    emailIs: 'عنوان بريدك الإلكتروني هو {email}.',
    emailLinkText: 'سنرسل رابطًا إلى العنوان الجديد لتفتحه في هذا المتصفح.',
    messageSentTo: 'أرسلنا رسالة إلى {email}. اتبع التعليمات الواردة فيها في هذا المتصفح.',
    changeEmailTo: 'هل تريد تغيير عنوان بريدك الإلكتروني إلى {email}؟',
    emailWas: 'كان حتى الآن {email}.',
    emailChangeText: 'تابع فقط إذا كنت قد طلبت هذا الرابط. سيتم تسجيل خروجك من أجهزتك الأخرى.',
    saveEmail: 'تغيير العنوان',
    emailIsNow: 'عنوان بريدك الإلكتروني الآن هو {email}.',
    requestNewLink: 'طلب رابط جديد',
  },
}

/** The texts of the pages, by language, with those of the site. */
export function textsOf(replaced: Settings['texts']) {
  return replaceTexts(texts, replaced)
}
