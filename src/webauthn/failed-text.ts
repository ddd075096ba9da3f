import type { PageLocale } from '../types/page-texts.ts'

/** What forms say if the script could not use a passkey. */
export const passkeyFailed: Readonly<Record<PageLocale, string>> = {
  en: 'The passkey did not work. Try again, or use another way to sign in.',
  de: 'Der Passkey hat nicht funktioniert. Bitte versuchen Sie es erneut oder melden Sie sich auf andere Weise an.',
  ar: 'لم ينجح استخدام مفتاح المرور. حاول مرة أخرى أو سجّل الدخول بطريقة أخرى.',
}
