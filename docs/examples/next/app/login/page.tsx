import { redirect } from 'next/navigation'
import { Suspense } from 'react'
import { signIn } from '../../auth'

async function enter(form: FormData) {
  'use server'
  const { name, pin } = Object.fromEntries(form)
  const { ok, code } = await signIn('credentials', { name: String(name), pin: String(pin), redirect: false })
  redirect(ok ? '/members' : `/login?code=${code}`)
}

type Query = Promise<{ code?: string }>

export default function Login({ searchParams }: { searchParams: Query }) {
  return (
    <main>
      <Suspense>
        <Mismatch searchParams={searchParams} />
      </Suspense>
      <form action={enter}>
        <input className="border" name="name" aria-label="Name" />{' '}
        <input className="border" name="pin" type="password" aria-label="PIN" /> <button>Enter</button>
      </form>
      <form
        action={async () => {
          'use server'
          await signIn('demo', { redirectTo: '/members' })
        }}
      >
        <button>Continue with Demo ID</button>
      </form>
    </main>
  )
}

async function Mismatch({ searchParams }: { searchParams: Query }) {
  const { code } = await searchParams
  return code && <p role="alert">This name and PIN do not match.</p>
}
