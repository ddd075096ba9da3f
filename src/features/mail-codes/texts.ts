import type { Settings } from '../../config/settings.ts'
import type { PageLocale } from '../../types/page-texts.ts'
import { replaceTexts } from '../replace-texts.ts'
import type { MailCodeTexts } from './types.ts'

/** The texts without those of the site. */
const texts: Readonly<Record<PageLocale, MailCodeTexts>> = {
  en: {
    codeSent: 'We sent you a six-digit code. Enter it here, in this browser.',
    codeSentTo: 'We sent a six-digit code to {email}. Enter it here, in this browser.',
    wrongCode: 'That code does not match. Attempts left: {count}.',
  },
  de: {
    codeSent: 'Wir haben Ihnen einen sechsstelligen Code gesendet. Geben Sie ihn hier in diesem Browser ein.',
    codeSentTo:
      'Wir haben einen sechsstelligen Code an {email} gesendet. Geben Sie ihn hier in diesem Browser ein.',
    wrongCode: 'Dieser Code stimmt nicht. Verbleibende Versuche: {count}.',
  },
  ar: {
    codeSent: 'أرسلنا إليك رمزًا من ستة أرقام. أدخله هنا في هذا المتصفح.',
    codeSentTo: 'أرسلنا رمزًا من ستة أرقام إلى {email}. أدخله هنا في هذا المتصفح.',
    wrongCode: 'هذا الرمز غير مطابق. المحاولات المتبقية: {count}.',
  },
}

/** The texts of the page, by language, with those of the site. */
export function textsOf(replaced: Settings['texts']) {
  return replaceTexts(texts, replaced)
}
