import { createAuthClient } from '../../../src/client.ts'

const { signIn, watchSession } = createAuthClient({ basePath: '/auth' })

/** Shows the signed-in user and follows changes in this and other tabs. Returns an unsubscribe function. */
export function greet(element: { textContent: string | null }): () => void {
  return watchSession((session) => (element.textContent = session?.user?.name ?? 'nobody'))
}

/** Signs in without leaving the page. */
export async function signInByPin(name: string, pin: string): Promise<string> {
  const { ok, code } = await signIn('credentials', { name, pin, redirect: false })
  return ok ? 'Welcome' : `Refused: ${code}`
}
