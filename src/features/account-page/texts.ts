import type { PageLocale } from '../../types/page-texts.ts'
import { replaceTexts } from '../replace-texts.ts'
import type { Settings } from '../../config/settings.ts'
import type { AccountPageTexts } from './types.ts'

/** The texts without those of the site. */
const texts: Readonly<Record<PageLocale, AccountPageTexts>> = {
  en: {
    yourAccount: 'Your account',
    signedInAs: 'Signed in as {name}',
    lastWay: 'This is your last way to sign in. Add another one before you remove it.',
    sessionsUnavailable: 'This site cannot end these sessions.',
    deletionUnconfirmed: 'Your account was not deleted, because the text does not match. Try again.',
    sessions: 'Sessions',
    signOutOthers: 'Sign out everywhere else',
    signOutSession: 'Sign out session {number}: {place}',
    thisDevice: 'This device',
    onThisDevice: 'this device',
    anotherDevice: 'Another device',
    sessionTimes: 'Signed in on {start}, expires on {end}',
    sessionEnd: 'Expires on {end}',
    linkedAccounts: 'Linked accounts',
    unlink: 'Unlink {name}',
    link: 'Link {name}',
    passkeys: 'Passkeys',
    passkey: 'Passkey {number}',
    saveName: 'Save name',
    saveNameOf: 'Save name of {name}',
    name: 'Name',
    nameOf: 'Name of {name}',
    remove: 'Remove {name}',
    signOutHere: 'Sign out on this device',
    deleteAccount: 'Delete account',
    confirmDeletion: 'To delete your account, type {text}',
    factorChanged:
      'Your second factor is still on, because another request changed it at the same time. Try again.',
  },
  de: {
    yourAccount: 'Ihr Konto',
    signedInAs: 'Angemeldet als {name}',
    lastWay:
      'Dies ist Ihre letzte Anmeldemöglichkeit. Fügen Sie eine weitere hinzu, bevor Sie sie entfernen.',
    sessionsUnavailable: 'Diese Website kann diese Sitzungen nicht beenden.',
    deletionUnconfirmed:
      'Ihr Konto wurde nicht gelöscht, weil der Text nicht übereinstimmt. Bitte versuchen Sie es erneut.',
    sessions: 'Sitzungen',
    signOutOthers: 'Überall sonst abmelden',
    signOutSession: 'Sitzung {number} abmelden: {place}',
    thisDevice: 'Dieses Gerät',
    onThisDevice: 'dieses Gerät',
    anotherDevice: 'Anderes Gerät',
    sessionTimes: 'Angemeldet am {start}, läuft ab am {end}',
    sessionEnd: 'Läuft ab am {end}',
    linkedAccounts: 'Verknüpfte Konten',
    unlink: 'Verknüpfung mit {name} aufheben',
    link: '{name} verknüpfen',
    passkeys: 'Passkeys',
    passkey: 'Passkey {number}',
    saveName: 'Namen speichern',
    saveNameOf: 'Namen von {name} speichern',
    name: 'Name',
    nameOf: 'Name von {name}',
    remove: '{name} entfernen',
    signOutHere: 'Auf diesem Gerät abmelden',
    deleteAccount: 'Konto löschen',
    confirmDeletion: 'Um Ihr Konto zu löschen, geben Sie {text} ein',
    factorChanged:
      'Ihr zweiter Faktor ist noch eingeschaltet, weil er im selben Moment geändert wurde. Bitte versuchen Sie es erneut.',
  },
  ar: {
    yourAccount: 'حسابك',
    signedInAs: 'تم تسجيل الدخول باسم {name}',
    lastWay: 'هذه آخر طريقة لديك لتسجيل الدخول. أضف طريقة أخرى قبل إزالتها.',
    sessionsUnavailable: 'لا يمكن لهذا الموقع إنهاء هذه الجلسات.',
    deletionUnconfirmed: 'لم يُحذف حسابك لأن النص غير مطابق. حاول مرة أخرى.',
    sessions: 'الجلسات',
    signOutOthers: 'تسجيل الخروج من كل الأجهزة الأخرى',
    signOutSession: 'تسجيل الخروج من الجلسة {number}: {place}',
    thisDevice: 'هذا الجهاز',
    onThisDevice: 'هذا الجهاز',
    anotherDevice: 'جهاز آخر',
    sessionTimes: 'تاريخ تسجيل الدخول {start}، تاريخ الانتهاء {end}',
    sessionEnd: 'تاريخ الانتهاء {end}',
    linkedAccounts: 'الحسابات المرتبطة',
    unlink: 'إلغاء ربط {name}',
    link: 'ربط {name}',
    passkeys: 'مفاتيح المرور',
    passkey: 'مفتاح المرور {number}',
    saveName: 'حفظ الاسم',
    saveNameOf: 'حفظ اسم {name}',
    name: 'الاسم',
    nameOf: 'اسم {name}',
    remove: 'إزالة {name}',
    signOutHere: 'تسجيل الخروج من هذا الجهاز',
    deleteAccount: 'حذف الحساب',
    confirmDeletion: 'لحذف حسابك اكتب {text}',
    factorChanged: 'لا يزال العامل الثاني مفعّلًا لأنه تغيّر في اللحظة نفسها. حاول مرة أخرى.',
  },
}

/** The texts of the page, by language, with those of the site. */
export function textsOf(replaced: Settings['texts']) {
  return replaceTexts(texts, replaced)
}
