import { A, createAsync } from '@solidjs/router'
import { createAuthClient } from 'authmachine/client'
import { createSignal } from 'solid-js'
import { findUser } from '~/user'

const { signIn, signOut } = createAuthClient({ basePath: '/api/auth' })

export default function Home() {
  const user = createAsync(() => findUser())
  const [problem, setProblem] = createSignal<string>()

  async function enter(event: SubmitEvent & { currentTarget: HTMLFormElement }) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const fields = { name: String(form.get('name')), pin: String(form.get('pin')) }
    const { ok, code } = await signIn('credentials', { ...fields, redirect: false })
    if (ok) location.reload()
    else setProblem(code)
  }

  return (
    <main>
      <p>
        Signed in: <strong id="who">{user()?.name ?? 'nobody'}</strong>
      </p>
      <button onClick={() => signIn('demo', { redirectTo: '/members' })}>Sign in with Demo ID</button>
      <form method="post" onSubmit={enter}>
        <label>
          Name <input name="name" />
        </label>
        <label>
          PIN <input name="pin" type="password" />
        </label>
        <button>Sign in</button>
      </form>
      {problem() && <p role="alert">That did not work: {problem()}</p>}
      <button onClick={() => signOut({ redirectTo: '/' })}>Sign out</button>
      <A href="/members">Members</A> <A href="/guarded">Guarded</A>{' '}
      {/* The library's pages, which work without scripts. */}
      <a href="/api/auth/signin">Sign in elsewhere</a>{' '}
      <a href="/api/auth/signout?callbackUrl=/">Sign out elsewhere</a>
    </main>
  )
}
