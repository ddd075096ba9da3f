import { createAuthClient } from '../../../src/client.ts'

const { signIn } = createAuthClient()

/** Mails a code. @returns whether it was sent */
export async function requestCode(email: string): Promise<boolean> {
  const { ok } = await signIn('nodemailer', { email, redirectTo: '/welcome', redirect: false })
  return ok
}

/** Signs in. @returns where to go, or what to tell the user */
export async function enterCode(code: string): Promise<{ url: string } | { message: string }> {
  const { ok, url, attempts } = await signIn('nodemailer', { code, redirect: false })
  if (ok) return { url }
  if (attempts === undefined) return { message: 'This code is no longer valid. Request a new one.' }
  return { message: `That code does not match. Attempts left: ${attempts}.` }
}
