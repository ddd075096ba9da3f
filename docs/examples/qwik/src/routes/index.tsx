import { component$ } from '@builder.io/qwik'
import { Form } from '@builder.io/qwik-city'
import { useSession, useSignIn, useSignOut } from './plugin@auth'

export default component$(() => {
  const session = useSession()
  const signIn = useSignIn()
  const signOut = useSignOut()
  const { failed, formErrors = [], fieldErrors = {} } = signIn.value ?? {}
  return (
    <main>
      <p>
        Signed in: <strong id="who">{session.value?.user?.name ?? 'nobody'}</strong>
      </p>
      <Form action={signIn}>
        <input type="hidden" name="providerId" value="demo" />
        <input type="hidden" name="options.redirectTo" value="/members/" />
        <button>Sign in with Demo ID</button>
      </Form>
      <Form action={signIn}>
        <input type="hidden" name="providerId" value="credentials" />
        <label>
          Name <input name="options.name" />
        </label>
        <label>
          PIN <input name="options.pin" type="password" />
        </label>
        <button>Sign in</button>
      </Form>
      {failed && (
        <p role="alert">That did not work: {[...formErrors, ...Object.values(fieldErrors).flat()].join()}</p>
      )}
      <Form action={signOut}>
        <input type="hidden" name="redirectTo" value="/" />
        <button>Sign out</button>
      </Form>
      {/* No <Link>: the redirect to the sign-in page leaves Qwik City. */}
      <a href="/members/">Members</a>
    </main>
  )
})
