import { query, redirect } from '@solidjs/router'
import { loadSession } from 'authmachine/solid-start'
import { getRequestEvent } from 'solid-js/web'
import { authOptions } from '~/auth'

/** Returns the signed-in user, if there is one. */
export const findUser = query(async () => {
  'use server'
  const session = await loadSession(getRequestEvent(), authOptions)
  return session?.user ?? null
}, 'user')

/** Protects a route on the server. It also runs when the browser navigates to the page. */
export const requireUser = query(async () => {
  'use server'
  const session = await loadSession(getRequestEvent(), authOptions)
  if (!session?.user) throw redirect('/')
  return session.user
}, 'required-user')
