'use client'
import { signOut, useSession } from 'next-auth/react'
import { signIn } from 'next-auth/webauthn'
import { useState } from 'react'

export default function Passkeys() {
  const { data: session, status, update } = useSession()
  const [email, setEmail] = useState('')
  const [failure, setFailure] = useState('')
  const [done, setDone] = useState(0)

  // Without a redirect the page stays, and fetches the session itself.
  async function enter(options: { action?: 'register'; email?: string }) {
    setFailure('')
    try {
      const answer = await signIn('passkey', { ...options, redirect: false })
      if (answer?.error) setFailure(answer.error)
      else setDone((count) => count + 1)
      await update()
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    }
  }

  return (
    <main>
      <p id="status">{status}</p>
      <p id="who">{session?.user?.name ?? 'nobody'}</p>
      <p id="done">{done}</p>
      {failure && <p id="failure">{failure}</p>}
      {status === 'authenticated' ? (
        <>
          <button onClick={() => enter({ action: 'register' })}>Add a passkey</button>
          <button onClick={() => signOut({ redirect: false })}>Sign out</button>
        </>
      ) : (
        <>
          <label>
            E-mail <input value={email} onChange={({ target }) => setEmail(target.value)} />
          </label>
          <button onClick={() => enter({ action: 'register', email })}>Register</button>
          <button onClick={() => enter({})}>Sign in</button>
        </>
      )}
    </main>
  )
}
