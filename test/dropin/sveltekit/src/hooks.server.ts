import { redirect, type Handle } from '@sveltejs/kit'
import { sequence } from '@sveltejs/kit/hooks'
import { handle as authenticate } from './auth'

const authorize: Handle = async ({ event, resolve }) => {
  if (event.url.pathname.startsWith('/members') && !(await event.locals.auth()))
    redirect(303, '/auth/signin?callbackUrl=/members')
  return resolve(event)
}

export const handle: Handle = sequence(authenticate, authorize)
