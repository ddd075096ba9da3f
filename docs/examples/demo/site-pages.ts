import type { Session } from '../../../src/types.ts'
import { html, type Html } from './html.ts'
import type { Mail, Mailbox } from './mailbox.ts'
import { members } from './members.ts'

export type SitePage =
  | { readonly title: string; readonly kind: 'open'; readonly show: (session: Session | null) => Html }
  /** Shown only where the site was started: another name for this machine may be somebody else's. */
  | { readonly title: string; readonly kind: 'local'; readonly show: () => Html }
  | { readonly title: string; readonly kind: 'guarded'; readonly show: (session: Session) => Html }

/** The pages by path; one shows the mails, if they are kept here. */
export function createPages(mailbox: Mailbox | undefined): ReadonlyMap<string, SitePage> {
  const pages = new Map<string, SitePage>([
    ['/', { title: 'Home', kind: 'open', show: createHome }],
    ['/protected', { title: 'Protected', kind: 'guarded', show: createProtected }],
    ['/profile', { title: 'Profile', kind: 'guarded', show: createProfile }],
  ])
  if (mailbox) pages.set('/inbox', { title: 'Inbox', kind: 'local', show: () => createInbox(mailbox.list()) })
  return pages
}

function createHome(session: Session | null): Html {
  return html`<h1>
      ${session ? `Welcome, ${session.user?.name ?? session.user?.email ?? 'you'}.` : 'Sign in, without an account.'}
    </h1>
    <p class="lead">
      A small site with a real OpenID provider beside it, both on this machine. Every sign-in runs a
      statechart: watch the path that it takes in the live trace, or have it printed by
      <code>npm start -- --verbose</code>.
    </p>
    <ul class="cards">
      <li>
        <h2>Demo ID</h2>
        <p>An OpenID provider, at which you are whoever you say.</p>
      </li>
      <li>
        <h2>A mail link</h2>
        <p>For any address: nothing leaves this machine, unless you gave it an SMTP server.</p>
      </li>
      <li>
        <h2>A password</h2>
        ${members.map(
          ({ login, password }) => html`<p><code>${login}</code> with <code>${password}</code></p>`,
        )}
      </li>
      <li>
        <h2>A passkey</h2>
        <p>Made at the first sign-in with an address, and kept by your device.</p>
      </li>
    </ul>`
}

function createProtected(session: Session): Html {
  const { name, email } = session.user ?? {}
  return html`<h1>Only for those who signed in</h1>
    <p class="lead">
      You did, ${name ?? email ?? 'whoever you are'}. Signed out, this page is out of reach again.
    </p>`
}

function createProfile(session: Session): Html {
  const { name, email, image } = session.user ?? {}
  return html`<h1>Profile</h1>
    <div class="identity">
      ${image ? html`<img src="${image}" alt="" width="64" height="64" />` : undefined}
      <p>
        <strong>${name ?? 'No name'}</strong><br />
        <span class="quiet">${email ?? 'no e-mail address'}</span>
      </p>
    </div>
    <h2>The session</h2>
    <pre class="panel" id="session" tabindex="0" aria-label="The session as JSON">
${JSON.stringify(session, null, 2)}</pre>`
}

function createInbox(mails: readonly Mail[]): Html {
  return html`<h1>Inbox</h1>
    <p class="lead">
      ${
        mails.length > 0
          ? 'What the site mailed, to whomever. A link works once.'
          : 'No mail yet: ask for a link on the sign-in page.'
      }
    </p>
    ${mails.map(
      ({ to, subject, text, link }) =>
        html`<article class="mail">
          <h2>${subject}</h2>
          <p class="quiet">To ${to}</p>
          <pre class="panel" tabindex="0" aria-label="The mail to ${to}">${text}</pre>
          <p><a class="button" href="${link}">Follow the link</a></p>
        </article>`,
    )}`
}
