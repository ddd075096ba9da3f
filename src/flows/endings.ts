import type { CookieChange } from '../cookies/cookie-change.ts'
import { AuthError, CallbackRouteError, EmailSignInError, InvalidEndpoints } from '../errors.ts'
import type { Visit } from '../http/visit.ts'
import { outcome, type Ending } from './flow.ts'

/** The path or URL of a page of the user's, as a URL with a parameter added. */
export function withParameter(page: string, visit: Visit, name: string, value: string): string {
  const url = new URL(page, visit.origin)
  url.searchParams.set(name, value)
  return url.href
}

/** An expected failure. */
export const failed = outcome({
  needs: ['failure'],
  answer: ({ failure }) => ({ kind: 'error', error: failure, throws: failure }),
})

/** Something that should not happen. */
export const faulted = outcome({
  needs: ['fault'],
  answer({ fault }) {
    const error = fault instanceof AuthError ? fault : new CallbackRouteError(fault)
    return { kind: 'error', error, throws: error }
  },
})

/** Server actions of the ecosystem expect the URL of the error page for these, so raw mode does not throw them. */
const returned = [EmailSignInError, InvalidEndpoints]

/** A sign-in that cannot be started: the request is refused, the provider unusable, or no mail can be sent. */
export const notStarted = outcome({
  needs: ['failure'],
  answer: ({ failure }) =>
    returned.some((type) => failure instanceof type)
      ? { kind: 'error', error: failure }
      : { kind: 'error', error: failure, throws: failure },
})

/** A fault while a sign-in is started. Raw mode throws errors of this library only, such as those of the store. */
export const faultedAtStart = outcome({
  needs: ['fault'],
  answer: ({ fault }) =>
    fault instanceof AuthError
      ? { kind: 'error', error: fault, throws: fault }
      : { kind: 'error', error: new CallbackRouteError(fault) },
})

/** The browser has a session; a new user is shown the page for new users first. */
export const signedIn = outcome({
  needs: ['visit', 'callbackUrl'],
  may: ['createdUser', 'member'],
  answer({ visit, callbackUrl, createdUser, member }, { settings }) {
    const { newUser } = settings.pages
    const isNew = createdUser !== undefined && createdUser === member
    const location =
      isNew && newUser ? withParameter(newUser, visit, 'callbackUrl', callbackUrl) : callbackUrl
    return { kind: 'redirect', location }
  },
})

/** The signIn callback, or a redirect proxy, sends the browser to another URL. */
export const sentElsewhere = outcome({
  needs: ['elsewhere'],
  answer: ({ elsewhere }) => ({ kind: 'redirect', location: elsewhere }),
})

type Declared = typeof failed | typeof faulted | typeof signedIn | typeof sentElsewhere

/** The same end, which takes the cookies of its transaction back too (decision 12). */
export function clearing<D extends Declared>(
  declared: D,
  clear: (visit: Visit, transaction?: string) => readonly CookieChange[],
) {
  return outcome({
    needs: [...declared.needs, 'visit'],
    may: [...(declared.may ?? []), 'transaction'],
    answer: (facts, world) => ({
      ...(declared as Ending).answer(facts, world),
      cookies: clear(facts.visit, facts.transaction),
    }),
  })
}
