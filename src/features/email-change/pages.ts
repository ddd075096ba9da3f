import type { FeaturePages, Json } from '../../types/feature.ts'
import type { PageKit, ViewPart } from '../../types/feature-page.ts'
import type { EmailChangeTexts } from './types.ts'

type Text = keyof EmailChangeTexts
type Kit = PageKit<Text>

/** Why the address was not changed. `link` and `taken` occur only when the user opens the link. */
export type Objection = 'invalid' | 'same' | 'link' | 'taken'

/** The data that the flows pass to the pages. */
export type Shown = {
  /** The current address. Absent if the user has none. */
  readonly current?: string
  /** The new address, or the text that the user typed. */
  readonly email?: string
  /** The token of a link. */
  readonly token?: string
  readonly objection?: Objection
  /** The URL of the form for a new link. */
  readonly again?: string
}

const objections = {
  invalid: 'emailInvalid',
  same: 'emailSame',
  link: 'emailLinkExpired',
  taken: 'emailTaken',
} as const satisfies Record<Objection, Text>

/** The pages for changing the e-mail address. They need no script. */
export const pages: FeaturePages<Text> = {
  request(data, kit) {
    const { current, email, objection } = readShown(data)
    return {
      heading: kit.t('changeYourEmail'),
      parts: [
        explain(objection, kit),
        current === undefined ? undefined : kit.text(kit.t('emailIs'), { email: current }),
        kit.text(kit.t('emailLinkText')),
        kit.form({
          fields: [
            {
              name: 'email',
              label: kit.t('newEmailAddress'),
              type: 'email',
              autocomplete: 'email',
              ...(email !== undefined && { value: email }),
            },
          ],
          button: kit.t('sendLink'),
        }),
      ],
    }
  },
  sent(data, kit) {
    const { email = '' } = readShown(data)
    return { heading: kit.t('checkMail'), parts: [kit.text(kit.t('messageSentTo'), { email })] }
  },
  confirm(data, kit) {
    const { current, email = '', token = '' } = readShown(data)
    return {
      heading: kit.t('changeYourEmail'),
      parts: [
        kit.text(kit.t('changeEmailTo'), { email }),
        current === undefined ? undefined : kit.text(kit.t('emailWas'), { email: current }),
        kit.text(kit.t('emailChangeText')),
        kit.form({ hidden: { token }, button: kit.t('saveEmail') }),
      ],
    }
  },
  changed(data, kit) {
    const { email = '' } = readShown(data)
    return { heading: kit.t('emailChanged'), parts: [kit.text(kit.t('emailIsNow'), { email })] }
  },
  stopped(data, kit) {
    const { objection, again = '' } = readShown(data)
    return {
      heading: kit.t('emailNotChanged'),
      parts: [explain(objection, kit), kit.link(again, kit.t('requestNewLink'))],
    }
  },
}

function readShown(data: Json): Shown {
  return data as Shown
}

function explain(objection: Objection | undefined, { t, message }: Kit): ViewPart | undefined {
  return objection && message(t(objections[objection]))
}
