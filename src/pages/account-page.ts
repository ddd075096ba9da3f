import { type ComponentChild, type ComponentChildren, h } from 'preact'
import type { ListedSession } from '../types/listed-session.ts'
import type { AccountPage } from './page.ts'
import { createAddressField } from './email-change-page.ts'
import { type Content, createHiddenFields } from './shell.ts'

/** Creates the page of the signed-in user. Each change has a form, so the page needs no script. */
export function createAccountPage(page: AccountPage): Content {
  const { base, csrfToken, name, email, notice } = page
  return {
    title: 'Your account',
    className: 'account',
    heading: 'Your account',
    children: [
      notice && h('div', { class: 'error', role: 'alert' }, h('p', {}, notices[notice])),
      (name ?? email) !== undefined && h('p', {}, ['Signed in as ', h('strong', {}, name ?? email)]),
      createSessions(page),
      createAccounts(page),
      createPasskeys(page),
      createFactor(page),
      createEmailChange(page),
      page.passwordUrls.map((href) =>
        createSection('Password', h('p', {}, h('a', { class: 'site', href }, 'Change your password'))),
      ),
      createSection(
        'Sign out',
        h('form', { action: `${base}/signout`, method: 'POST' }, [
          ...createHiddenFields({ csrfToken }),
          h('button', { type: 'submit' }, 'Sign out on this device'),
        ]),
      ),
      createDeletion(page),
    ],
  }
}

const notices: Readonly<Record<NonNullable<AccountPage['notice']>, string>> = {
  'last-way': 'This is your last way to sign in. Add another one before you remove it.',
  'factor-changed': 'Your second factor is still on, because it was changed at the same moment. Try again.',
  unavailable: 'This site cannot end these sessions.',
  unconfirmed: 'Your account was not deleted, because the text does not match. Try again.',
}

function createSection(heading: string, ...children: readonly ComponentChildren[]): ComponentChild {
  return h('section', {}, [h('h2', {}, heading), children])
}

/** Creates a form for one change. A name that tells its button from others with the same label is not visible. */
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

function createSessions(page: AccountPage): ComponentChild {
  const { sessions, canEndOthers } = page
  const others =
    canEndOthers && createForm(page, { change: 'end-other-sessions' }, { label: 'Sign out everywhere else' })
  if (!sessions) return others && createSection('Sessions', others)
  const items = sessions.map((session, n) => {
    const name = `Sign out session ${n + 1}: ${placeOf(session)}`
    return h('li', {}, [
      ...describeSession(session),
      !session.isCurrent &&
        createForm(page, { change: 'end-session', id: session.id }, { label: 'Sign out', name }),
    ])
  })
  return createSection('Sessions', h('ul', {}, items), sessions.length > 1 && others)
}

function placeOf({ device, address, isCurrent }: ListedSession): string {
  const where = device === undefined ? undefined : isCurrent && 'this device'
  return [device ?? (isCurrent ? 'This device' : 'Another device'), where, address].filter(Boolean).join(', ')
}

function describeSession(session: ListedSession): ComponentChild[] {
  const { createdAt, expires } = session
  return [
    h('strong', {}, placeOf(session)),
    h('br', {}),
    ...(createdAt ? ['Signed in ', createTime(createdAt), ', '] : []),
    createdAt ? 'expires ' : 'Expires ',
    createTime(expires),
  ]
}

/** In UTC, because the server does not know the time zone of the user. */
function createTime(date: Date): ComponentChild {
  const text = date.toISOString()
  return h('time', { datetime: text }, `${text.slice(0, 10)} ${text.slice(11, 16)} UTC`)
}

function createAccounts(page: AccountPage): ComponentChild {
  const { accounts, base, csrfToken } = page
  if (!accounts || accounts.linked.length + accounts.others.length === 0) return undefined
  const linked = accounts.linked.map(({ id, name }) =>
    h('li', {}, [
      h('strong', {}, name),
      createForm(page, { change: 'unlink', id }, { label: `Unlink ${name}` }),
    ]),
  )
  const others = accounts.others.map(({ name, action }) =>
    h('form', { action, method: 'POST' }, [
      ...createHiddenFields({ csrfToken, callbackUrl: `${base}/account`, link: 'true' }),
      h('button', { type: 'submit' }, `Link ${name}`),
    ]),
  )
  return createSection('Linked accounts', h('ul', {}, linked), others)
}

function createPasskeys(page: AccountPage): ComponentChild {
  const { passkeys } = page
  if (!passkeys || passkeys.list.length === 0) return undefined
  const { list, maxName } = passkeys
  const items = list.map(({ id, name }, n) => {
    const title = name ?? `Passkey ${n + 1}`
    return h('li', {}, [
      h('strong', {}, title),
      maxName !== undefined &&
        createForm(
          page,
          { change: 'name-passkey', id },
          { label: 'Save name', name: `Save name of ${title}` },
          [
            h('label', { class: 'section-header', for: `input-name-${n}` }, 'Name'),
            h('input', {
              id: `input-name-${n}`,
              name: 'name',
              type: 'text',
              'aria-label': `Name of ${title}`,
              maxlength: maxName,
              value: name,
            }),
          ],
        ),
      createForm(page, { change: 'unlink', id }, { label: `Remove ${title}` }),
    ])
  })
  return createSection('Passkeys', h('ul', {}, items))
}

function createFactor(page: AccountPage): ComponentChild {
  const { factor } = page
  if (!factor) return undefined
  const link = (text: string) => h('p', {}, h('a', { class: 'site', href: factor.enrolUrl }, text))
  const { recoveryCodes } = factor
  if (recoveryCodes === undefined)
    return createSection(
      'Second factor',
      h('p', {}, 'An authenticator app protects your account even if someone else learns your password.'),
      link('Set up an authenticator app'),
    )
  return createSection(
    'Second factor',
    h('p', {}, `An authenticator app is on. Recovery codes left: ${recoveryCodes}.`),
    link('Use another authenticator app'),
    createForm(page, { change: 'renew-recovery-codes' }, { label: 'Create new recovery codes' }),
    createForm(page, { change: 'remove-factor' }, { label: 'Turn off the second factor' }),
  )
}

function createEmailChange({ emailChangeUrl, csrfToken }: AccountPage): ComponentChild {
  if (emailChangeUrl === undefined) return undefined
  return createSection(
    'Email address',
    h('form', { action: emailChangeUrl, method: 'POST' }, [
      ...createHiddenFields({ csrfToken }),
      ...createAddressField(),
      h('button', { type: 'submit' }, 'Change email address'),
    ]),
  )
}

function createDeletion(page: AccountPage): ComponentChild {
  const { deletion } = page
  if (deletion === undefined) return undefined
  const label = h('label', { class: 'section-header', for: 'input-confirmation' }, [
    'To delete your account, type ',
    h('strong', {}, deletion),
  ])
  const input = h('input', {
    id: 'input-confirmation',
    name: 'confirmation',
    type: 'text',
    autocomplete: 'off',
    required: true,
  })
  return createSection(
    'Delete account',
    h(
      'div',
      { class: 'danger' },
      createForm(page, { change: 'delete-user' }, { label: 'Delete account' }, label, input),
    ),
  )
}
