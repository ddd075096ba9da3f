import { redirect } from 'next/navigation'
import { Suspense } from 'react'
import { auth, signOut, update } from '../../auth'

async function rename(form: FormData) {
  'use server'
  await update({ name: form.get('name') })
}

async function leave() {
  'use server'
  await signOut({ redirectTo: '/' })
}

export default function Page() {
  return (
    <Suspense fallback={<p>Loading…</p>}>
      <Members />
    </Suspense>
  )
}

async function Members() {
  // Check the session here too: do not rely on the proxy alone.
  const session = await auth()
  if (!session?.user) redirect('/api/auth/signin?callbackUrl=/members')
  return (
    <main>
      <h1>Hello {session.user.name}</h1>
      <form action={rename}>
        <input className="border" name="name" aria-label="New name" /> <button>Rename</button>
      </form>
      <form action={leave}>
        <button>Leave</button>
      </form>
    </main>
  )
}
