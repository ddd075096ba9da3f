import { Secret, TOTP } from 'otpauth'
import { formsFor, sendForm } from '../../properties/support/account.ts'
import {
  enterCode as sendCode,
  period,
  readRecoveryCodes,
  readSetup,
} from '../../properties/support/second-factor.ts'
import { Unreached } from '../../world/breach.ts'
import type { Reply } from '../../world/reply.ts'
import type { Scene } from '../scene.ts'
import type { AppTruth, Name } from '../truth.ts'
import { type Action, browserOf, factsOf, isIn, nameSeat, type Seat, userIn } from '../action.ts'

/** Enrols an app, or replaces the one before. */
export function enrolApp(seat: Seat): Action {
  return {
    says: `${nameSeat(seat)} enrols an app`,
    in: seat.browser,
    needs: 'second-factor',
    allows: (scene) => isIn(scene, seat),
    async run(scene) {
      const { world } = scene
      const browser = browserOf(scene, seat.browser)
      const setup = await readSetup(world, browser).catch(forgive)
      if (!setup) return {}
      const path = `${world.basePath}/factor-enrolment`
      const says = 'enters the first code of the app'
      const done = await browser.send(path, { form: { ...setup.fields, code: setup.code() }, says })
      const recovery = readRecoveryCodes(done.text)
      const app = { secret: setup.secret, recovery, lastCode: setup.code(), knownTo: seat.person }
      return recovery.length > 0 ? { enrolled: app, used: nameApp(scene, app) } : {}
    },
  }
}

/** Opens the page that enrols an app, and leaves it open. */
export function openEnrolment(seat: Seat): Action {
  return {
    says: `${nameSeat(seat)} opens the page that enrols an app`,
    in: seat.browser,
    needs: 'second-factor',
    allows: (scene) => isIn(scene, seat) && !factsOf(scene, seat.browser).form,
    async run(scene) {
      const setup = await readSetup(scene.world, browserOf(scene, seat.browser)).catch(forgive)
      if (setup)
        factsOf(scene, seat.browser).form = {
          by: seat.person,
          change: 'enrolment',
          fields: setup.fields,
          secret: setup.secret,
        }
      return {}
    },
  }
}

/** Enters the first code on a page that was opened before, by this person or another one. */
export function finishEnrolment(seat: Seat): Action {
  return {
    says: `${nameSeat(seat)} enters the first code on the page that is open`,
    in: seat.browser,
    needs: 'second-factor',
    allows: (scene) => isIn(scene, seat) && factsOf(scene, seat.browser).form?.change === 'enrolment',
    async run(scene) {
      const { world } = scene
      const facts = factsOf(scene, seat.browser)
      const { by = seat.person, fields, secret = '' } = facts.form ?? {}
      delete facts.form
      world.clock.advance(period)
      const lastCode = codeOf(scene, { secret })
      const form = { ...fields, csrfToken: await browserOf(scene, seat.browser).csrfToken(), code: lastCode }
      const says = 'enters the first code of the app'
      const { text } = await browserOf(scene, seat.browser).send(`${world.basePath}/factor-enrolment`, {
        form,
        says,
      })
      const recovery = readRecoveryCodes(text)
      const app = { secret, recovery, lastCode, knownTo: by }
      return recovery.length > 0 ? { enrolled: app, used: nameApp(scene, app) } : {}
    },
  }
}

/** Ignores that a page lacks something that an honest person needs. */
function forgive(error: unknown): undefined {
  if (!(error instanceof Unreached)) throw error
}

/** Enters a code of the app that was not used before. */
export function enterCode(seat: Seat, remembers: boolean): Action {
  return {
    says: `${nameSeat(seat)} enters a code${remembers ? ', and lets the browser be remembered' : ''}`,
    in: seat.browser,
    needs: 'second-factor',
    allows: (scene) => waitsOrIsIn(scene, seat) && appOf(scene, seat.person) !== undefined,
    async run(scene) {
      const app = appOf(scene, seat.person)
      if (!app) return {}
      scene.world.clock.advance(period)
      const code = codeOf(scene, app)
      const more: Record<string, string> = remembers ? { remember: 'true' } : {}
      const reply = await sendCode(scene.world, browserOf(scene, seat.browser), code, more)
      if (isAccepted(reply)) app.lastCode = code
      return { code: { isRight: true, remembers }, used: nameApp(scene, app) }
    },
  }
}

/** Enters a recovery code, the first that is left. */
export function enterRecoveryCode(seat: Seat): Action {
  return {
    says: `${nameSeat(seat)} enters a recovery code`,
    in: seat.browser,
    needs: 'second-factor',
    allows: (scene) => waitsOrIsIn(scene, seat) && (appOf(scene, seat.person)?.recovery.length ?? 0) > 0,
    async run(scene) {
      const app = appOf(scene, seat.person)
      const [code = '', ...left] = app?.recovery ?? []
      const reply = await sendCode(scene.world, browserOf(scene, seat.browser), code)
      if (app && isAccepted(reply)) Object.assign(app, { recovery: left, usedRecovery: code })
      return { code: { isRight: true }, used: app && nameApp(scene, app) }
    },
  }
}

/** Returns whether a code was used. If nothing waits for a code, it is not compared, and works later. */
function isAccepted({ status, location }: Reply): boolean {
  if (status >= 400 || !location) return false
  return !location.searchParams.has('error') && !location.pathname.endsWith('/factor')
}

const oldCodes = {
  last: { what: 'the last code again', id: 'SF-05', find: ({ lastCode }: AppTruth) => lastCode },
  'used recovery': {
    what: 'a used recovery code again',
    id: 'SF-06',
    find: ({ usedRecovery }: AppTruth) => usedRecovery,
  },
  'former recovery': {
    what: 'a recovery code of the app that was replaced',
    id: 'SF-06',
    find: ({ recovery }: AppTruth) => recovery[0],
  },
} as const

/** Enters a code that must not work: the last code again, a used recovery code, or a code of the replaced app. */
export function enterOldCode(seat: Seat, which: keyof typeof oldCodes): Action {
  const { what, id, find } = oldCodes[which]
  const appIn = (scene: Scene) => {
    const user = Object.values(scene.truth.users).find(({ owner }) => owner === seat.person)
    return which === 'former recovery' ? user?.formerApp : user?.app
  }
  const codeIn = (scene: Scene) => {
    const app = appIn(scene)
    return app && find(app)
  }
  return {
    says: `${nameSeat(seat)} enters ${what}`,
    in: seat.browser,
    needs: 'second-factor',
    allows: (scene) => waitsOrIsIn(scene, seat) && codeIn(scene) !== undefined,
    async run(scene) {
      await sendCode(scene.world, browserOf(scene, seat.browser), codeIn(scene) ?? '')
      const app = appIn(scene)
      return { code: { isRight: false, refusal: { id, what } }, used: app && nameApp(scene, app) }
    },
  }
}

/** Renews the recovery codes on the account page. */
export function renewRecovery(seat: Seat): Action {
  return {
    says: `${nameSeat(seat)} renews the recovery codes`,
    in: seat.browser,
    needs: 'second-factor',
    allows: (scene) => isIn(scene, seat) && userIn(scene, seat.browser)?.app !== undefined,
    async run(scene) {
      const browser = browserOf(scene, seat.browser)
      const user = factsOf(scene, seat.browser).session?.user
      const [form] = await formsFor(scene.world, browser, 'renew-recovery-codes')
      const recovery = form ? readRecoveryCodes((await sendForm(scene.world, browser, form)).text) : []
      return user !== undefined && recovery.length > 0 ? { renewed: { user, recovery } } : {}
    },
  }
}

/** Removes the second factor on the account page. */
export function removeFactor(seat: Seat): Action {
  return {
    says: `${nameSeat(seat)} removes the second factor`,
    in: seat.browser,
    needs: 'second-factor',
    allows: (scene) => isIn(scene, seat) && userIn(scene, seat.browser)?.app !== undefined,
    async run(scene) {
      const browser = browserOf(scene, seat.browser)
      const [form] = await formsFor(scene.world, browser, 'remove-factor')
      if (form) await sendForm(scene.world, browser, form)
      return {}
    },
  }
}

function waitsOrIsIn(scene: Scene, seat: Seat): boolean {
  const { waits } = factsOf(scene, seat.browser)
  return isIn(scene, seat) || (waits !== undefined && scene.truth.users[waits.user]?.owner === seat.person)
}

function appOf({ truth }: Scene, person: Name): AppTruth | undefined {
  return Object.values(truth.users).find(({ owner, app }) => owner === person && app)?.app
}

function nameApp({ names }: Scene, { secret }: Pick<AppTruth, 'secret'>): string | undefined {
  return names?.('app', secret)
}

function codeOf({ world }: Scene, { secret }: Pick<AppTruth, 'secret'>): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: world.clock.now() })
}
