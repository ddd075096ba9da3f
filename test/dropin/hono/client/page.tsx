import { SessionProvider, signIn, signOut, useSession } from '@hono/auth-js/react'
import { useState, type FormEvent } from 'react'
import { createRoot } from 'react-dom/client'

function Account() {
  const { data: session, status, update } = useSession()
  const [refused, setRefused] = useState<string>()

  async function enter(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const { name, pin } = Object.fromEntries(new FormData(event.currentTarget))
    const answer = await signIn('credentials', { name, pin, redirect: false })
    setRefused(answer?.error)
  }

  return (
    <>
      <p id="who">{status === 'loading' ? '?' : (session?.user?.name ?? 'nobody')}</p>
      {refused && <p role="alert">{refused}</p>}
      <button onClick={() => signIn('demo', { callbackUrl: '/client' })}>Demo ID</button>
      <form onSubmit={enter}>
        <label>
          Name <input name="name" />
        </label>
        <label>
          PIN <input name="pin" type="password" />
        </label>
        <button>Sign in with credentials</button>
      </form>
      <button onClick={() => update({ user: { name: 'Countess' } })}>Rename</button>
      <button onClick={() => signOut({ callbackUrl: '/client' })}>Sign out</button>
    </>
  )
}

createRoot(document.querySelector('main')!).render(
  <SessionProvider>
    <Account />
  </SessionProvider>,
)
