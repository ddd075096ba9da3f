import { query, redirect } from '@solidjs/router'
import { loadSession } from 'authmachine/solid-start'
import { getRequestEvent } from 'solid-js/web'
import { authOptions } from '~/auth'

/** Who is signed in, if anybody is. */
export const findUser = query(async () => {
  'use server'
  const session = await loadSession(getRequestEvent(), authOptions)
  return session?.user ?? null
}, 'user')

/** The protected route with server-side rendering; it holds on navigation in the browser, too. */
export const requireUser = query(async () => {
  'use server'
  const session = await loadSession(getRequestEvent(), authOptions)
  if (!session?.user) throw redirect('/')
  return session.user
}, 'required-user')
