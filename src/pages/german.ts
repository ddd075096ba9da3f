import type { LibraryTexts } from '../types/page-texts.ts'

/** German, formal. */
export const german: LibraryTexts = {
  backToSite: 'Zurück zu {site}',
  logo: 'Logo',
  signIn: 'Anmelden',
  signInWith: 'Mit {name} anmelden',
  byEmail: 'E-Mail',
  byPassword: 'Passwort',
  or: 'oder',
  email: 'E-Mail',
  pleaseSignIn: 'Bitte melden Sie sich an, um diese Seite zu sehen.',
  cancelled: 'Die Anmeldung wurde abgebrochen.',
  wrongDetails: 'Ihre Angaben stimmen nicht überein. Bitte prüfen Sie sie und versuchen Sie es erneut.',
  mailUnsent:
    'Die E-Mail konnte nicht gesendet werden. Bitte prüfen Sie die Adresse und versuchen Sie es gleich noch einmal.',
  signedUpOtherwise:
    'Sie haben sich bereits auf andere Weise registriert. Bitte melden Sie sich so an wie beim ersten Mal.',
  tryAnotherAccount:
    'Die Anmeldung ist fehlgeschlagen. Bitte versuchen Sie es erneut oder verwenden Sie ein anderes Konto.',
  signInFailed: 'Sie konnten nicht angemeldet werden. Bitte versuchen Sie es erneut.',
  signOut: 'Abmelden',
  signOutQuestion: 'Möchten Sie sich abmelden?',
  cancel: 'Abbrechen',
  checkMail: 'Posteingang prüfen',
  linkSent:
    'Wir haben Ihnen einen Link gesendet. Öffnen Sie ihn, um sich anzumelden. Diese Seite können Sie schließen.',
  linkSentTo:
    'Wir haben einen Link an {email} gesendet. Öffnen Sie ihn, um sich anzumelden. Diese Seite können Sie schließen.',
  code: 'Code',
  sendAgain: 'Erneut senden',
  useAnotherAddress: 'Andere Adresse verwenden',
  signInAs: 'Als {email} anmelden?',
  onlyIfRequested: 'Fahren Sie nur fort, wenn Sie diesen Link angefordert haben.',
  serverError: 'Serverfehler',
  serverErrorText:
    'Der Server ist falsch konfiguriert. Wenn das wiederholt auftritt, wenden Sie sich an den Betreiber dieser Website. Wenn es Ihre Website ist, prüfen Sie das Serverprotokoll.',
  accessDenied: 'Zugriff verweigert',
  accessDeniedText:
    'Dieses Konto darf sich nicht anmelden. Wenn Sie ein anderes Konto haben, versuchen Sie es damit.',
  unableToSignIn: 'Anmeldung nicht möglich',
  linkExpired:
    'Dieser Link oder Code ist abgelaufen oder wurde bereits verwendet. Melden Sie sich erneut an, um einen neuen zu erhalten.',
  signInUnfinished:
    'Diese Anmeldung kann nicht abgeschlossen werden. Sie wurde in einem anderen Browser begonnen oder hat zu lange gedauert. Bitte beginnen Sie von vorn.',
  tooManyAttempts: 'Zu viele Versuche',
  tooManyAttemptsText:
    'Es gab zu viele Versuche. Warten Sie einige Minuten und versuchen Sie es dann erneut.',
  error: 'Fehler',
  errorText: 'Etwas ist schiefgelaufen. Kehren Sie zur Website zurück und versuchen Sie es erneut.',
  pageNotFound: 'Seite nicht gefunden',
  pageNotFoundText: 'Unter dieser Adresse gibt es keine Seite. Kehren Sie zur Website zurück.',
  sendLink: 'Link senden',
  changeYourPassword: 'Passwort ändern',
  continue: 'Weiter',
  password: 'Passwort',
}
