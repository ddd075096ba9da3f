import type { Seat } from '../action.ts'
import { pass, restoreCookies, saveCookies } from '../actions/browsers.ts'

/** The people of the configurations, at their browsers. */
export const phone: Seat = { person: 'ada', browser: 'Ada’s phone' }
export const laptop: Seat = { person: 'ada', browser: 'Ada’s laptop' }
/** A browser that is signed in from the beginning, so that there are other sessions to end. */
export const tablet: Seat = { person: 'ada', browser: 'Ada’s tablet' }
export const bob: Seat = { person: 'bob', browser: 'Bob’s phone' }
/** A browser that two people use, one after the other. */
const shared = 'the shared browser'
export const adaAtShared: Seat = { person: 'ada', browser: shared }
export const bobAtShared: Seat = { person: 'bob', browser: shared }
export const eve: Seat = { person: 'eve', browser: 'Eve’s browser' }
export const browsers = [phone, laptop, tablet, eve].map(({ browser }) => browser)
export const own = [phone.browser, laptop.browser, tablet.browser]

export const time = [pass('short'), pass('day'), pass('month')]
export const copies = [saveCookies(phone.browser), restoreCookies(phone.browser)]
