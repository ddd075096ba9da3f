import type { LibraryPages } from '../../pages/library-feature.ts'
import type { Json } from '../../types/feature.ts'
import type { MailCodeTexts } from './types.ts'

/** The data of the page, which never contains the code. */
export type Shown = {
  /** Id of the provider. */
  readonly provider: string
  /** The number of attempts left after a wrong code. */
  readonly attempts?: number | undefined
  /** The mail that this browser requested, with its address and whether it was to link the address. */
  readonly mail?: { readonly email: string; readonly links: boolean } | undefined
}

/** The page after a mail, with a form for the code that needs no script. */
export const pages: LibraryPages<keyof MailCodeTexts> = {
  code(data, kit) {
    const { provider, attempts, mail } = readShown(data)
    return {
      className: 'verify-request',
      heading: kit.t('checkMail'),
      parts: [
        attempts === undefined ? undefined : kit.message(kit.t('wrongCode', { count: attempts })),
        mail ? kit.text(kit.t('codeSentTo'), { email: mail.email }) : kit.text(kit.t('codeSent')),
        kit.form({
          action: `callback/${provider}`,
          fields: [
            {
              name: 'code',
              label: kit.t('code'),
              inputMode: 'numeric',
              autocomplete: 'one-time-code',
              autofocus: true,
            },
          ],
          button: kit.t('signIn'),
        }),
        mail &&
          kit.form({
            action: `signin/${provider}`,
            hidden: { email: mail.email, ...(mail.links && { link: 'true' }) },
            button: kit.t('sendAgain'),
            isSecondary: true,
          }),
        mail && kit.link('signin', kit.t('useAnotherAddress')),
      ],
    }
  },
}

function readShown(data: Json): Shown {
  return data as Shown
}
