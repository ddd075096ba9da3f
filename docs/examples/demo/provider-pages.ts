import { html, type Html } from './html.ts'
import { createPage } from './page.ts'
import { demoUsers, type DemoUser } from './users.ts'

/** Renders the page to choose a user. Every button has its own form, so that the page works without scripts. */
export function choosePage(asking: string, problem?: string): Response {
  return createPage({
    title: 'Demo ID',
    at: 'provider',
    status: problem ? 422 : 200,
    body: html`<main class="card">
      <p class="badge">Demo ID</p>
      <h1>Who are you?</h1>
      <p class="quiet">
        <strong>${asking}</strong> wants to know who you are. This is a demo: choose anyone.
      </p>
      <ul class="people">
        ${demoUsers.map(offer)}
      </ul>
      <form method="post" class="name">
        <label for="name">Or sign in as</label>
        ${problem && html`<p class="problem" id="problem" role="alert">${problem}</p>`}
        <div class="row">
          <input id="name" name="name" required maxlength="60" autocomplete="off" ${problem && describedBy} />
          <button type="submit">Sign in</button>
        </div>
      </form>
      <form method="post"><button type="submit" name="cancel" value="yes" class="plain">Cancel</button></form>
    </main>`,
  })
}

const describedBy = html`aria-describedby="problem" aria-invalid="true"`

function offer({ id, name, email }: DemoUser): Html {
  return html`<li>
    <form method="post">
      <button type="submit" name="user" value="${id}" class="person">
        <img src="/avatar/${id}" alt="" width="40" height="40" />
        <span><strong>${name}</strong><small>${email}</small></span>
      </button>
    </form>
  </li>`
}

/** Renders the page for a sign-in that does not exist or has ended. */
export function lostPage(): Response {
  return createPage({
    title: 'Demo ID',
    at: 'provider',
    status: 400,
    body: html`<main class="card">
      <p class="badge">Demo ID</p>
      <h1>This sign-in has ended</h1>
      <p class="quiet">Return to the site and start again.</p>
    </main>`,
  })
}

const colours = ['#3568eb', '#0f766e', '#9333ea', '#b45309', '#be185d']

/** Renders the picture of a user: the initials on a colour. */
export function renderAvatar(user: DemoUser | undefined): Response {
  if (!user) return new Response('User not found', { status: 404 })
  const initials = user.name
    .split(' ')
    .map(([first]) => first ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase()
  const colour = colours[(user.id.charCodeAt(0) + user.id.length) % colours.length]
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="40" height="40">
    <rect width="40" height="40" fill="${colour}" />
    <text x="20" y="26" font-family="sans-serif" font-size="16" fill="#fff" text-anchor="middle">
      ${initials}
    </text>
  </svg>`
  return new Response(svg.html, { headers: { 'Content-Type': 'image/svg+xml; charset=utf-8' } })
}
