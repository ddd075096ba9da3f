import type { CookieChange } from '../../cookies/cookie.ts'
import {
  AuthError,
  CallbackRouteError,
  EmailSignInError,
  InvalidEndpoints,
  OAuthSignInError,
} from '../../errors/classes.ts'
import type { Visit } from '../../http/visit.ts'
import type { Ending } from '../engine/check-types.ts'
import { outcome } from '../engine/flow.ts'
import { redirect, redirectFor, throwOrRedirectFor } from '../engine/result.ts'

/** Adds a parameter to the path or URL of a custom page. */
export function withParameter(page: string, visit: Visit, name: string, value: string): string {
  const url = new URL(page, visit.origin)
  url.searchParams.set(name, value)
  return url.href
}

/** An expected failure. */
export const failed = outcome({
  needs: ['failure'],
  answer: ({ failure }) => throwOrRedirectFor(failure),
})

/** An unexpected failure. */
export const faulted = outcome({
  needs: ['fault'],
  answer: ({ fault }) =>
    throwOrRedirectFor(fault instanceof AuthError ? fault : new CallbackRouteError(fault)),
})

/**
 * In raw mode, server actions of the ecosystem expect the URL of the error page for these errors, so they are not
 * thrown.
 */
const returned = [EmailSignInError, InvalidEndpoints, OAuthSignInError]

/** A sign-in that cannot start: the request is refused, the provider is unusable, or no mail can be sent. */
export const notStarted = outcome({
  needs: ['failure'],
  answer: ({ failure }) =>
    returned.some((type) => failure instanceof type) ? redirectFor(failure) : throwOrRedirectFor(failure),
})

/** A fault at the start of a sign-in. Raw mode throws only errors of this library, such as those of the adapter. */
export const faultedAtStart = outcome({
  needs: ['fault'],
  answer: ({ fault }) =>
    fault instanceof AuthError ? throwOrRedirectFor(fault) : redirectFor(new CallbackRouteError(fault)),
})

/** The browser has a session. A new user first sees the page for new users. */
export const signedIn = outcome({
  needs: ['visit', 'callbackUrl'],
  may: ['createdUser', 'member'],
  answer({ visit, callbackUrl, createdUser, member }, { settings }) {
    const { newUser } = settings.pages
    const isNew = createdUser !== undefined && createdUser === member
    const location =
      isNew && newUser ? withParameter(newUser, visit, 'callbackUrl', callbackUrl) : callbackUrl
    return redirect(location)
  },
})

/** The browser goes to the page of the gate that holds the sign-in. */
export const held = outcome({
  needs: ['visit', 'gate'],
  answer: ({ visit, gate }) => redirect(`${visit.base}/${gate}`),
})

/** The user signs in again or enters the second factor, and returns to the callback URL of the change. */
function returnVia(action: 'signin' | 'factor', parameters: Readonly<Record<string, string>> = {}) {
  return outcome({
    needs: ['visit', 'callbackUrl'],
    answer: ({ visit, callbackUrl }) =>
      redirect(`${visit.base}/${action}?${new URLSearchParams({ ...parameters, callbackUrl })}`),
  })
}

/** The session is not fresh enough for the change. */
export const stale = returnVia('signin', { error: 'SessionRequired' })

/** The session lacks the second factor that the change demands. */
export const challenged = returnVia('factor')

/** Endings of a page that needs a session, or one with the second factor: the user signs in and returns to the page. */
export function returningTo(pageOf: (visit: Visit) => string) {
  const via = (action: 'signin' | 'factor', parameters: Readonly<Record<string, string>> = {}) =>
    outcome({
      needs: ['visit'],
      answer(facts) {
        const query = new URLSearchParams({ ...parameters, callbackUrl: pageOf(facts.visit) })
        return redirect(`${facts.visit.base}/${action}?${query}`)
      },
    })
  return { anonymous: via('signin', { error: 'SessionRequired' }), challenged: via('factor') }
}

/** The signIn callback or a redirect proxy redirects the browser. */
export const sentElsewhere = outcome({
  needs: ['elsewhere'],
  answer: ({ elsewhere }) => redirect(elsewhere),
})

type Declared =
  typeof failed | typeof faulted | typeof signedIn | typeof sentElsewhere | typeof held | typeof stale

/** The same ending, which also clears the cookies of its transaction (decision 12). */
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
