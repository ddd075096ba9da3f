import { createAuthClient } from '../../../src/client.ts'

const { signIn, watchSession } = createAuthClient({ basePath: '/auth' })

/** Shows who is signed in, now and whenever it changes, in this tab or another. Answers how to stop. */
export function greet(element: { textContent: string | null }): () => void {
  return watchSession((session) => (element.textContent = session?.user?.name ?? 'nobody'))
}

/** Signs in without leaving the page. */
export async function signInByPin(name: string, pin: string): Promise<string> {
  const { ok, code } = await signIn('credentials', { name, pin, redirect: false })
  return ok ? 'Welcome' : `Refused: ${code}`
}
