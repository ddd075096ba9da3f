import { type ComponentChild, type ComponentChildren, h } from 'preact'
import type { AccountSection } from '../types/feature.ts'
import type { ListedSession } from '../types/listed-session.ts'
import type { AccountPage } from './page.ts'
import type { PageLocale, LibraryTexts } from '../types/page-texts.ts'
import { type Language, compose, fill } from './language.ts'
import { type Content, createHiddenFields, createMessage } from './shell.ts'
import { createViewField } from './view-field.ts'

/** Creates the page of the signed-in user. Each change has a form, so the page needs no script. */
export function createAccountPage(page: AccountPage, language: Language): Content {
  const { texts } = language
  const { base, csrfToken, name, email, notice } = page
  return {
    className: 'account',
    heading: texts.yourAccount,
    children: [
      notice && createMessage(texts[notices[notice]]),
      (name ?? email) !== undefined &&
        h('p', {}, compose(texts.signedInAs, { name: h('strong', { dir: 'auto' }, name ?? email) })),
      createSessions(page, language),
      createAccounts(page, texts),
      createPasskeys(page, texts),
      createFactor(page, texts),
      page.sections.map((section) => createFeatureSection(section, page)),
      page.passwords.map(({ url, isSet }) => {
        const text = isSet ? texts.changeYourPassword : texts.setPassword
        return createSection(texts.password, h('p', {}, h('a', { class: 'site', href: url }, text)))
      }),
      createSection(
        texts.signOut,
        h('form', { action: `${base}/signout`, method: 'POST' }, [
          ...createHiddenFields({ csrfToken }),
          h('button', { type: 'submit' }, texts.signOutHere),
        ]),
      ),
      createDeletion(page, texts),
    ],
  }
}

const notices = {
  'last-way': 'lastWay',
  'factor-changed': 'factorChanged',
  unavailable: 'sessionsUnavailable',
  unconfirmed: 'deletionUnconfirmed',
} as const

function createSection(heading: string, ...children: readonly ComponentChildren[]): ComponentChild {
  return h('section', {}, [h('h2', {}, heading), children])
}

/** Creates a form for one change. If several buttons have the same label, an invisible name distinguishes them. */
function createForm(
  { base, csrfToken }: AccountPage,
  fields: Readonly<Record<string, string>>,
  { label, name }: { readonly label: string; readonly name?: string },
  ...inputs: readonly ComponentChild[]
): ComponentChild {
  return h('form', { action: `${base}/account`, method: 'POST' }, [
    ...createHiddenFields({ csrfToken, ...fields }),
    ...inputs,
    h('button', { type: 'submit', 'aria-label': name }, label),
  ])
}

function createSessions(page: AccountPage, language: Language): ComponentChild {
  const { texts } = language
  const { sessions, canEndOthers } = page
  const others =
    canEndOthers && createForm(page, { change: 'end-other-sessions' }, { label: texts.signOutOthers })
  if (!sessions) return others && createSection(texts.sessions, others)
  const items = sessions.map((session, n) => {
    const name = fill(texts.signOutSession, { number: n + 1, place: placeOf(session, texts) })
    return h('li', {}, [
      ...describeSession(session, language),
      !session.isCurrent &&
        createForm(page, { change: 'end-session', id: session.id }, { label: texts.signOut, name }),
    ])
  })
  return createSection(texts.sessions, h('ul', {}, items), sessions.length > 1 && others)
}

function placeOf({ device, address, isCurrent }: ListedSession, texts: LibraryTexts): string {
  const where = device === undefined ? undefined : isCurrent && texts.onThisDevice
  return [device ?? (isCurrent ? texts.thisDevice : texts.anotherDevice), where, address]
    .filter(Boolean)
    .join(', ')
}

function describeSession(session: ListedSession, { texts, locale }: Language): ComponentChild[] {
  const { createdAt, expires } = session
  const end = createTime(expires, locale)
  return [
    h('strong', { dir: 'auto' }, placeOf(session, texts)),
    h('br', {}),
    ...(createdAt
      ? compose(texts.sessionTimes, { start: createTime(createdAt, locale), end })
      : compose(texts.sessionEnd, { end })),
  ]
}

/** In UTC, because the server does not know the time zone of the user. */
function createTime(date: Date, locale: PageLocale): ComponentChild {
  const text = new Intl.DateTimeFormat(conventions[locale], timeParts).format(date)
  return h('time', { datetime: date.toISOString() }, text)
}

/** English has no single convention. This one has a clock of 24 hours, as UTC usually does. */
const conventions: Readonly<Record<PageLocale, string>> = { en: 'en-GB', de: 'de', ar: 'ar' }

const timeParts: Readonly<Intl.DateTimeFormatOptions> = Object.freeze({
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
})

function createAccounts(page: AccountPage, texts: LibraryTexts): ComponentChild {
  const { accounts, base, csrfToken } = page
  if (!accounts || accounts.linked.length + accounts.others.length === 0) return undefined
  const linked = accounts.linked.map(({ id, name }) =>
    h('li', {}, [
      h('strong', {}, name),
      createForm(page, { change: 'unlink', id }, { label: fill(texts.unlink, { name }) }),
    ]),
  )
  const others = accounts.others.map(({ name, action }) =>
    h('form', { action, method: 'POST' }, [
      ...createHiddenFields({ csrfToken, callbackUrl: `${base}/account`, link: 'true' }),
      h('button', { type: 'submit' }, fill(texts.link, { name })),
    ]),
  )
  return createSection(texts.linkedAccounts, h('ul', {}, linked), others)
}

function createPasskeys(page: AccountPage, texts: LibraryTexts): ComponentChild {
  const { passkeys } = page
  if (!passkeys || passkeys.list.length === 0) return undefined
  const { list, maxName } = passkeys
  const items = list.map(({ id, name }, n) => {
    const title = name ?? fill(texts.passkey, { number: n + 1 })
    return h('li', {}, [
      h('strong', {}, title),
      maxName !== undefined &&
        createForm(
          page,
          { change: 'name-passkey', id },
          { label: texts.saveName, name: fill(texts.saveNameOf, { name: title }) },
          [
            h('label', { class: 'section-header', for: `input-name-${n}` }, texts.name),
            h('input', {
              id: `input-name-${n}`,
              name: 'name',
              type: 'text',
              'aria-label': fill(texts.nameOf, { name: title }),
              maxlength: maxName,
              value: name,
            }),
          ],
        ),
      createForm(page, { change: 'unlink', id }, { label: fill(texts.remove, { name: title }) }),
    ])
  })
  return createSection(texts.passkeys, h('ul', {}, items))
}

function createFactor(page: AccountPage, texts: LibraryTexts): ComponentChild {
  const { factor } = page
  if (!factor) return undefined
  const link = (text: string) => h('p', {}, h('a', { class: 'site', href: factor.enrolUrl }, text))
  const { recoveryCodes } = factor
  if (recoveryCodes === undefined)
    return createSection(texts.secondFactor, h('p', {}, texts.factorOff), link(texts.setUpApp))
  return createSection(
    texts.secondFactor,
    h('p', {}, fill(texts.factorOn, { count: recoveryCodes })),
    link(texts.useAnotherApp),
    createForm(page, { change: 'renew-recovery-codes' }, { label: texts.renewCodes }),
    createForm(page, { change: 'remove-factor' }, { label: texts.turnOffFactor }),
  )
}

/** Creates the section of a feature. The ids of its fields are unique on the page. */
function createFeatureSection(
  { heading, action = '', fields = [], button }: AccountSection,
  { base, csrfToken }: AccountPage,
): ComponentChild {
  return createSection(
    heading,
    h('form', { action: `${base}/${action}`, method: 'POST' }, [
      ...createHiddenFields({ csrfToken }),
      ...fields.map((field) => createViewField(field, `input-${action}-${field.name}`)),
      h('button', { type: 'submit' }, button),
    ]),
  )
}

function createDeletion(page: AccountPage, texts: LibraryTexts): ComponentChild {
  const { deletion } = page
  if (deletion === undefined) return undefined
  const label = h(
    'label',
    { class: 'section-header', for: 'input-confirmation' },
    compose(texts.confirmDeletion, { text: h('strong', { dir: 'auto' }, deletion) }),
  )
  const input = h('input', {
    id: 'input-confirmation',
    name: 'confirmation',
    type: 'text',
    autocomplete: 'off',
    required: true,
  })
  return createSection(
    texts.deleteAccount,
    h(
      'div',
      { class: 'danger' },
      createForm(page, { change: 'delete-user' }, { label: texts.deleteAccount }, label, input),
    ),
  )
}
