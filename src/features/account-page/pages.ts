import type { FeaturePages, Json } from '../../types/feature.ts'
import type { PageKit, ViewPart } from '../../types/feature-page.ts'
import type { AccountPageTexts } from './types.ts'

type Text = keyof AccountPageTexts
type Kit = PageKit<Text>

/** Why a change was refused. */
export type Notice = 'last-way' | 'unconfirmed' | 'unavailable' | 'factor-changed'

/** A session of the user. */
export type ShownSession = {
  readonly id: string
  readonly device?: string | undefined
  readonly address?: string | undefined
  readonly isCurrent: boolean
  /** In milliseconds since 1970. */
  readonly createdAt?: number | undefined
  /** In milliseconds since 1970. */
  readonly expires: number
}

/** The account of the signed-in user. A section that the adapter does not support is absent. */
export type ShownAccount = {
  /** For the sections of features. The page does not show it. */
  readonly userId: string
  readonly name?: string | undefined
  readonly email?: string | undefined
  readonly notice?: Notice | undefined
  readonly sessions?: readonly ShownSession[] | undefined
  /** Whether all other sessions can be ended. */
  readonly canEndOthers: boolean
  readonly accounts?:
    | {
        readonly linked: readonly { readonly id: string; readonly name: string }[]
        /** The providers that can be linked. */
        readonly others: readonly { readonly id: string; readonly name: string }[]
        /** The URL to which the user returns after linking. */
        readonly callbackUrl: string
      }
    | undefined
  readonly passkeys?:
    | {
        readonly list: readonly { readonly id: string; readonly name?: string | undefined }[]
        /** The most characters of a name. Absent if passkeys cannot be named. */
        readonly maxName?: number | undefined
      }
    | undefined
  /** The text that confirms a deletion. Absent if users cannot be deleted. */
  readonly deletion?: string | undefined
}

const notices = {
  'last-way': 'lastWay',
  'factor-changed': 'factorChanged',
  unavailable: 'sessionsUnavailable',
  unconfirmed: 'deletionUnconfirmed',
} as const satisfies Record<Notice, Text>

/** The page of the signed-in user. Each change has a form, so the page needs no script. */
export const pages: FeaturePages<Text> = {
  async account(data, kit) {
    const account = readShown(data)
    const { userId, name, email, notice } = account
    const user = name ?? email
    return {
      heading: kit.t('yourAccount'),
      parts: [
        notice && kit.message(kit.t(notices[notice])),
        user === undefined ? undefined : kit.text(kit.t('signedInAs'), { name: user }),
        showSessions(account, kit),
        showAccounts(account, kit),
        showPasskeys(account, kit),
        ...(await kit.accountSections(userId)),
        kit.section(kit.t('signOut'), [kit.form({ action: 'signout', button: kit.t('signOutHere') })]),
        showDeletion(account, kit),
      ],
    }
  },
}

function readShown(data: Json): ShownAccount {
  return data as ShownAccount
}

function showSessions({ sessions, canEndOthers }: ShownAccount, kit: Kit): ViewPart | undefined {
  const others = canEndOthers
    ? kit.form({ hidden: { change: 'end-other-sessions' }, button: kit.t('signOutOthers') })
    : undefined
  if (!sessions) return others && kit.section(kit.t('sessions'), [others])
  const items = sessions.map((session, n) => {
    const place = placeOf(session, kit)
    return [
      kit.text('{place}', { place }),
      describeTimes(session, kit),
      session.isCurrent
        ? undefined
        : kit.form({
            hidden: { change: 'end-session', id: session.id },
            button: kit.t('signOut'),
            accessibleName: kit.t('signOutSession', { number: n + 1, place }),
          }),
    ]
  })
  return kit.section(kit.t('sessions'), [kit.list(items), sessions.length > 1 ? others : undefined])
}

function placeOf({ device, address, isCurrent }: ShownSession, { t }: Kit): string {
  const where = device === undefined ? undefined : isCurrent && t('onThisDevice')
  return [device ?? t(isCurrent ? 'thisDevice' : 'anotherDevice'), where, address].filter(Boolean).join(', ')
}

function describeTimes({ createdAt, expires }: ShownSession, { t, text }: Kit): ViewPart {
  const end = new Date(expires)
  return createdAt === undefined
    ? text(t('sessionEnd'), { end })
    : text(t('sessionTimes'), { start: new Date(createdAt), end })
}

function showAccounts({ accounts }: ShownAccount, kit: Kit): ViewPart | undefined {
  if (!accounts || accounts.linked.length + accounts.others.length === 0) return undefined
  const { linked, others, callbackUrl } = accounts
  const items = linked.map(({ id, name }) => [
    kit.text('{name}', { name }),
    kit.form({ hidden: { change: 'unlink', id }, button: kit.t('unlink', { name }) }),
  ])
  const links = others.map(({ id, name }) =>
    kit.form({
      action: `signin/${id}`,
      hidden: { callbackUrl, link: 'true' },
      button: kit.t('link', { name }),
    }),
  )
  return kit.section(kit.t('linkedAccounts'), [kit.list(items), ...links])
}

function showPasskeys({ passkeys }: ShownAccount, kit: Kit): ViewPart | undefined {
  if (!passkeys || passkeys.list.length === 0) return undefined
  const { list, maxName } = passkeys
  const items = list.map(({ id, name = '' }, n) => {
    const title = name || kit.t('passkey', { number: n + 1 })
    return [
      kit.text('{title}', { title }),
      maxName === undefined
        ? undefined
        : kit.form({
            hidden: { change: 'name-passkey', id },
            fields: [
              {
                name: 'name',
                label: kit.t('name'),
                accessibleName: kit.t('nameOf', { name: title }),
                maxLength: maxName,
                value: name,
                required: false,
              },
            ],
            button: kit.t('saveName'),
            accessibleName: kit.t('saveNameOf', { name: title }),
          }),
      kit.form({ hidden: { change: 'unlink', id }, button: kit.t('remove', { name: title }) }),
    ]
  })
  return kit.section(kit.t('passkeys'), [kit.list(items)])
}

function showDeletion({ deletion: phrase }: ShownAccount, kit: Kit): ViewPart | undefined {
  if (phrase === undefined) return undefined
  const form = kit.form({
    hidden: { change: 'delete-user' },
    fields: [
      {
        name: 'confirmation',
        label: kit.t('confirmDeletion'),
        values: { text: phrase },
        autocomplete: 'off',
      },
    ],
    button: kit.t('deleteAccount'),
  })
  return kit.section(kit.t('deleteAccount'), [form], { isDangerous: true })
}
