/** The texts of the page that asks for a mailed code. */
export interface MailCodeTexts {
  codeSent: string
  codeSentTo: string
  wrongCode: string
}
