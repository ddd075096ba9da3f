'use client'
import { signIn, signOut, useSession } from 'next-auth/react'
import { useState } from 'react'

export default function Client() {
  const { data: session, status, update } = useSession()
  const [refused, setRefused] = useState('')

  async function enter(form: FormData) {
    const answer = await signIn('credentials', {
      name: form.get('name'),
      pin: form.get('pin'),
      redirect: false,
    })
    setRefused(answer.error ?? '')
    if (!answer.error) await update()
  }

  return (
    <main>
      <p id="status">{status}</p>
      <p id="who">{session?.user?.name ?? 'nobody'}</p>
      {refused && <p role="alert">{refused}</p>}
      <form action={enter}>
        <label>
          Name <input name="name" />
        </label>
        <label>
          PIN <input name="pin" type="password" />
        </label>
        <button>Sign in with credentials</button>
      </form>
      <button onClick={() => signIn('demo')}>Demo ID</button>
      <button onClick={() => update({ user: { name: 'Countess' } })}>Rename</button>
      <button onClick={() => signOut({ redirect: false })}>Sign out</button>
    </main>
  )
}
