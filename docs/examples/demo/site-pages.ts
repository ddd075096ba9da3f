import type { Session } from '../../../src/types.ts'
import type { Authenticator, ShownCode } from './authenticator.ts'
import { html, type Html } from './html.ts'
import type { Mail, Mailbox } from './mailbox.ts'
import { members } from './members.ts'

export type SitePage =
  | { readonly title: string; readonly kind: 'open'; readonly show: (session: Session | null) => Html }
  /** Shown only under the origin of the site, because another host name may belong to an attacker. */
  | { readonly title: string; readonly kind: 'local'; readonly show: (entry: CodeEntry | undefined) => Html }
  | { readonly title: string; readonly kind: 'guarded'; readonly show: (session: Session) => Html }

/** The form for the code that this browser requested. */
export interface CodeEntry {
  /** Where the form is sent. */
  readonly action: string
  readonly csrfToken: string
  /** The number of attempts left after a wrong code. */
  readonly attempts: string | null
}

/** Returns the pages by path, with an inbox if the site stores its mails. */
export function createPages({
  mailbox,
  authenticator,
}: {
  readonly mailbox: Mailbox | undefined
  readonly authenticator: Authenticator
}): ReadonlyMap<string, SitePage> {
  const pages = new Map<string, SitePage>([
    ['/', { title: 'Home', kind: 'open', show: createHome }],
    ['/protected', { title: 'Protected', kind: 'guarded', show: createProtected }],
    ['/profile', { title: 'Profile', kind: 'guarded', show: createProfile }],
  ])
  if (mailbox)
    pages.set('/inbox', {
      title: 'Inbox',
      kind: 'local',
      show: (entry) => createInbox(mailbox.list(), entry),
    })
  return pages.set('/authenticator', {
    title: 'Authenticator',
    kind: 'local',
    show: () => createCodes(authenticator.list()),
  })
}

function createHome(session: Session | null): Html {
  return html`<h1>
      ${session ? `Welcome, ${session.user?.name ?? session.user?.email ?? 'you'}.` : 'Sign in without an account'}
    </h1>
    <p class="lead">
      A small site and a real OpenID provider, both on this machine. Every sign-in runs a state machine. Watch
      its states in the live trace, or print them with <code>npm start -- --verbose</code>.
    </p>
    <ul class="cards">
      <li>
        <h2>Demo ID</h2>
        <p>An OpenID provider where you can sign in as anyone.</p>
      </li>
      <li>
        <h2>A mail link</h2>
        <p>For any address. No mail leaves this machine unless you configure an SMTP server.</p>
      </li>
      <li>
        <h2>A mail code</h2>
        <p>Six digits, which only the browser that requested them can use.</p>
      </li>
      <li>
        <h2>A password</h2>
        <p>Choose one with a mailed link, or sign in as a member:</p>
        ${members.map(
          ({ email, password }) => html`<p><code>${email}</code> with <code>${password}</code></p>`,
        )}
      </li>
      <li>
        <h2>A passkey</h2>
        <p>You create it when you first sign in with an address. Your device stores it.</p>
      </li>
      <li>
        <h2>A second factor</h2>
        <p>
          Turn it on at <a href="/auth/account">your account</a>. The page
          <a href="/authenticator">Authenticator</a> shows the codes, so you need no phone.
        </p>
      </li>
      <li>
        <h2>Your account</h2>
        <p>See <a href="/auth/account">where you are signed in</a>, link accounts, or delete your account.</p>
      </li>
    </ul>`
}

function createProtected(session: Session): Html {
  const { name, email } = session.user ?? {}
  return html`<h1>For signed-in users only</h1>
    <p class="lead">
      You are signed in as ${name ?? email ?? 'a user without a name'}. Sign out, and you can no longer open
      this page.
    </p>`
}

function createProfile(session: Session): Html {
  const { name, email, image } = session.user ?? {}
  return html`<h1>Profile</h1>
    <div class="identity">
      ${image ? html`<img src="${image}" alt="" width="64" height="64" />` : undefined}
      <p>
        <strong>${name ?? 'No name'}</strong><br />
        <span class="quiet">${email ?? 'No e-mail address'}</span>
      </p>
    </div>
    <h2>The session</h2>
    <pre class="panel" id="session" tabindex="0" aria-label="The session as JSON">
${JSON.stringify(session, null, 2)}</pre>`
}

function createInbox(mails: readonly Mail[], entry: CodeEntry | undefined): Html {
  return html`<h1>Inbox</h1>
    <p class="lead">
      ${
        mails.length > 0
          ? 'All mails that the site sent. Each link and each code works once.'
          : 'No mail yet. Request a link or a code on the sign-in page.'
      }
    </p>
    ${entry && createCodeForm(entry)}
    ${mails.map(
      ({ to, subject, text, link }) =>
        html`<article class="mail">
          <h2>${subject}</h2>
          <p class="quiet">To ${to}</p>
          <pre class="panel" tabindex="0" aria-label="The mail to ${to}">${text}</pre>
          ${link !== undefined && html`<p><a class="button" href="${link}">Open the link</a></p>`}
        </article>`,
    )}`
}

function createCodes(codes: readonly ShownCode[]): Html {
  return html`<h1>Authenticator</h1>
    <p class="lead">
      ${
        codes.length > 0
          ? 'This page replaces an authenticator app. Each code works once. Reload the page for the next one.'
          : html`This page replaces an authenticator app. Turn the second factor on at
              <a href="/auth/account">your account</a>, and the code appears here.`
      }
    </p>
    ${codes.map(
      ({ label, code, key }) =>
        html`<article class="mail">
          <h2>${label}</h2>
          <p class="quiet">Key ${key}…</p>
          <p class="code">${code.slice(0, 3)} ${code.slice(3)}</p>
        </article>`,
    )}`
}

function createCodeForm({ action, csrfToken, attempts }: CodeEntry): Html {
  return html`<form class="card name" method="post" action="${action}">
    ${attempts !== null && html`<p class="problem" role="alert">That code does not match. Attempts left: ${attempts}.</p>`}
    <input type="hidden" name="csrfToken" value="${csrfToken}" />
    <label for="code">Code</label>
    <div class="row">
      <input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required />
      <button class="button">Sign in</button>
    </div>
  </form>`
}
