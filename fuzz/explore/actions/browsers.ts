import { pauses } from '../describe-state.ts'
import { type Action, browserOf, factsOf, isIn, nameSeat, type Seat } from '../action.ts'
import type { BrowserTruth } from '../truth.ts'

/** Opens a page of the application, which reads and extends the session. */
export function openPage(seat: Seat): Action {
  return {
    says: `${nameSeat(seat)} opens a page of the application`,
    in: seat.browser,
    allows: (scene) => isIn(scene, seat),
    async run(scene) {
      await browserOf(scene, seat.browser).readSession()
      return {}
    },
  }
}

export function signOut(seat: Seat): Action {
  return {
    says: `${nameSeat(seat)} signs out`,
    in: seat.browser,
    allows(scene) {
      return isIn(scene, seat) || factsOf(scene, seat.browser).waits !== undefined
    },
    async run(scene) {
      await browserOf(scene, seat.browser).signOut()
      return { signedOut: true }
    },
  }
}

/** Copies the cookies of a browser with a session, or with a sign-in that waits, as malware that can read its files does. */
export function saveCookies(browser: string): Action {
  return copy(browser, ({ session, waits }) => (session ?? waits) !== undefined)
}

/** Copies the cookies of a browser in which a mail was requested. */
export function saveWaiting(browser: string): Action {
  return { ...copy(browser, () => true), needs: 'mail-codes' }
}

function copy(browser: string, when: (facts: BrowserTruth) => boolean): Action {
  return {
    says: `the cookies of ${browser} are copied`,
    in: browser,
    allows: (scene) => when(factsOf(scene, browser)) && !factsOf(scene, browser).saved,
    async run(scene) {
      const facts = factsOf(scene, browser)
      facts.saved = {
        ...structuredClone({ ...facts, saved: undefined }),
        jar: browserOf(scene, browser).save(),
      }
      return {}
    },
  }
}

/** A browser loses its cookies; copies of them stay. */
export function loseCookies(browser: string): Action {
  return {
    says: `${browser} loses its cookies`,
    in: browser,
    allows: (scene) => Object.keys(browserOf(scene, browser).cookies()).length > 0,
    async run(scene) {
      const { saved, arrival } = factsOf(scene, browser)
      for (const name of Object.keys(browserOf(scene, browser).cookies()))
        browserOf(scene, browser).dropCookie(name)
      scene.truth.browsers[browser] = { ...(saved && { saved }), ...(arrival && { arrival }) }
      return {}
    },
  }
}

/** Puts the copied cookies back. */
export function restoreCookies(browser: string): Action {
  return {
    says: `the copied cookies of ${browser} are put back`,
    in: browser,
    allows: (scene) => factsOf(scene, browser).saved !== undefined,
    async run(scene) {
      const { saved } = factsOf(scene, browser)
      if (!saved) return {}
      const { jar, ...facts } = saved
      browserOf(scene, browser).restore(jar)
      scene.truth.browsers[browser] = structuredClone(facts)
      return {}
    },
  }
}

/** Time passes for everyone. */
export function pass(name: keyof typeof pauses): Action {
  const says = { short: 'twenty minutes pass', day: 'a day passes', month: 'a month passes' }
  return {
    says: says[name],
    allows: ({ truth }) =>
      truth.mails.length > 0 || Object.values(truth.browsers).some((each) => JSON.stringify(each) !== '{}'),
    async run({ world }) {
      world.advance(pauses[name])
      return {}
    },
  }
}
