import type { PasswordComplaint } from '../../provider-base/password.ts'
import type { FeaturePages, Json } from '../../types/feature.ts'
import type { PageKit, ViewField, ViewPart } from '../../types/feature-page.ts'
import type { PasswordTexts } from './types.ts'

type Text = keyof PasswordTexts
type Kit = PageKit<Text>

/** Why a form asks for a password again: `mismatch` is about the current one. */
export type Objection = PasswordComplaint | 'mismatch'

/** The data that the flows pass to the pages, which never contains a password. */
export type Shown = {
  /** Minimum characters of a new password. */
  readonly minLength: number
  /** The token of a link. */
  readonly token?: string | undefined
  /** The address of a link. */
  readonly email?: string | undefined
  /** Passed from form to form. The flow that redirects to this URL checks it. */
  readonly callbackUrl?: string | undefined
  readonly objection?: Objection | undefined
}

const objections = {
  'too-short': 'passwordTooShort',
  'too-long': 'passwordTooLong',
  breached: 'passwordBreached',
  mismatch: 'passwordMismatch',
} as const satisfies Record<Objection, Text>

/** The forms that request a link, and that set or change a password. They need no script. */
export const pages: FeaturePages<Text> = {
  request(data, kit) {
    return {
      heading: kit.t('setPassword'),
      parts: [
        kit.text(kit.t('sendLinkText')),
        kit.form({
          hidden: hiddenOf(readShown(data)),
          fields: [{ name: 'email', label: kit.t('email'), type: 'email', autocomplete: 'username' }],
          button: kit.t('sendLink'),
        }),
      ],
    }
  },
  reset(data, kit) {
    const shown = readShown(data)
    const { email = '' } = shown
    return {
      heading: kit.t('choosePassword'),
      parts: [
        explain(shown, kit),
        kit.text(kit.t('choosePasswordFor'), { email }),
        kit.form({
          hidden: hiddenOf(shown),
          username: { name: 'email', value: email },
          fields: [newPassword(shown, kit)],
          button: kit.t('savePassword'),
        }),
      ],
    }
  },
  change(data, kit) {
    const shown = readShown(data)
    return {
      heading: kit.t('changeYourPassword'),
      parts: [
        explain(shown, kit),
        kit.form({
          hidden: hiddenOf(shown),
          fields: [
            {
              name: 'currentPassword',
              label: kit.t('currentPassword'),
              type: 'password',
              autocomplete: 'current-password',
            },
            newPassword(shown, kit),
          ],
          button: kit.t('changePassword'),
        }),
      ],
    }
  },
}

function readShown(data: Json): Shown {
  return data as Shown
}

function hiddenOf({ token, callbackUrl }: Shown): Readonly<Record<string, string>> {
  return { ...(token !== undefined && { token }), ...(callbackUrl !== undefined && { callbackUrl }) }
}

function newPassword({ minLength }: Shown, { t }: Kit): ViewField {
  return {
    name: 'password',
    label: t('newPassword', { count: minLength }),
    type: 'password',
    autocomplete: 'new-password',
    minLength,
  }
}

function explain({ objection, minLength: count }: Shown, { t, message }: Kit): ViewPart | undefined {
  return objection && message(t(objections[objection], { count }))
}
