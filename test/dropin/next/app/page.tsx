import { AuthError } from 'next-auth'
import { redirect } from 'next/navigation'
import { auth, signIn, signOut } from '../auth'

async function enter(form: FormData) {
  'use server'
  try {
    await signIn(String(form.get('provider')), form)
  } catch (error) {
    // In raw mode the package throws its own error class. Redirects are thrown too.
    if (!(error instanceof AuthError)) throw error
    redirect(`/?refused=${error.type}+${'code' in error ? error.code : ''}`)
  }
}

async function leave() {
  'use server'
  await signOut({ redirectTo: '/' })
}

export default async function Home({ searchParams }: { searchParams: Promise<{ refused?: string }> }) {
  const session = await auth()
  const { refused } = await searchParams
  return (
    <main>
      <p id="who">{session?.user?.name ?? 'nobody'}</p>
      {refused && <p role="alert">{refused}</p>}
      <form action={enter}>
        <input type="hidden" name="provider" value="demo" />
        <input type="hidden" name="redirectTo" value="/members" />
        <button>Demo ID</button>
      </form>
      <form action={enter}>
        <input type="hidden" name="provider" value="credentials" />
        <input type="hidden" name="redirectTo" value="/members" />
        <label>
          Name <input name="name" />
        </label>
        <label>
          PIN <input name="pin" type="password" />
        </label>
        <button>Sign in with credentials</button>
      </form>
      <form action={leave}>
        <button>Sign out</button>
      </form>
    </main>
  )
}
