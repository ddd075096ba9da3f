import { inspect } from 'node:util'
import fc from 'fast-check'
import { eachOf } from '../../arbitraries/every-of.ts'
import { Secret } from 'otpauth'
import type { Browser } from '../../world/browser.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { managedSetups } from '../support/managed-flows.ts'
import {
  enrol,
  enterCode,
  hasFactor,
  period,
  readRecoveryCodes,
  readSetup,
  wrongCode,
} from '../support/second-factor.ts'

async function openAda(world: World): Promise<Browser> {
  const browser = world.browser('ada')
  await browser.arrive(await browser.visit('alpha', world.people.ada))
  return browser
}

const isIn = async (browser: Browser) => (await browser.whoAmI()) !== undefined

/** Enters the first code of an app. */
async function finish(world: World, browser: Browser, { fields, code }: Setup, typed = code()) {
  const form = { ...fields, code: typed }
  return browser.send(`${world.basePath}/factor-enrolment`, {
    form,
    says: 'enters the first code of the app',
  })
}
type Setup = Awaited<ReturnType<typeof readSetup>>

/** A secret as a program could write it. */
function spellingsOf(secret: string): readonly string[] {
  const { buffer, hex } = Secret.fromBase32(secret)
  const bytes = Buffer.from(buffer)
  return [secret, hex, hex.toLowerCase(), bytes.toString('base64'), bytes.toString('base64url')]
}

/** Everything that the application reported, and the URLs that it sent to browsers. */
function reported({ recorded, replies }: World): string {
  const urls = replies.map(({ request, reply }) => [request.url, reply.location?.href])
  const { errors, warnings, debugs, events } = recorded
  return inspect([errors, warnings, debugs, events, urls], { depth: 12, maxArrayLength: null })
}

/** Properties of the stored secret of a second factor, and of records that cannot be decrypted. */
export const factorSecretProperties: readonly Property[] = [
  property({
    proves: ['SF-04', 'SF-16'],
    name: 'stores the secret of a second factor only after its first code, sealed, and shows it once',
    story: 'Someone who reads a backup or the log computes the codes of every user.',
    advice: 'Seal the secret for its user, and keep it and the codes out of logs, events and URLs.',
    needs: ['setup', 'store', 'hooks'],
    setups: managedSetups,
    runs: 12,
    input: fc.record({ by: fc.integer({ min: 1, max: 900_000 }), index: fc.nat({ max: 9 }) }),
    async run(world, { by, index }) {
      const owner = await openAda(world)
      const setup = await readSetup(world, owner)
      const [again, { secret }] = [await readSetup(world, owner), setup]
      world.check('SF-04', again.secret !== secret, 'two enrolments have one secret')
      const bits = Secret.fromBase32(secret).bytes.length * 8
      world.check('SF-04', bits >= 160, `the secret has ${bits} bits`)
      world.check('SF-04', world.rows.factors.length === 0, 'a secret is stored before its first code')
      await finish(world, owner, setup, wrongCode(setup.code(), by))
      world.check('SF-04', world.rows.factors.length === 0, 'a secret is stored after a wrong code')
      const app = await enrol(world, owner)
      const stored = JSON.stringify(world.rows)
      const [browser, other] = [await openAda(world), await openAda(world)]
      const [code, recovery] = [app.code(), app.recovery[index] ?? '']
      await enterCode(world, browser, code)
      await enterCode(world, other, recovery)
      world.assume((await isIn(browser)) && (await isIn(other)), 'a right code signs nobody in')
      const text = reported(world)
      for (const each of spellingsOf(app.secret)) {
        world.check('SF-04', !stored.includes(each), 'the secret is stored in plain text')
        world.check('SF-16', !text.includes(each), 'the secret is in the log, an event or a URL')
      }
      world.check('SF-16', !text.includes(recovery), 'a recovery code is in the log, an event or a URL')
      for (const { request, reply } of world.replies)
        if (/otpauth:|[a-z2-7]{6}(-[a-z2-7]{6}){3}/.test(reply.text))
          world.check(
            'SF-16',
            /no-store/.test(reply.headers.get('cache-control') ?? ''),
            `${new URL(request.url).pathname} shows a secret, and may be cached`,
          )
    },
  }),

  property({
    proves: ['SF-04'],
    name: 'signs nobody in without a code if the record of the second factor cannot be opened',
    story: 'A secret of the application is replaced or a row is damaged, and every second factor is gone.',
    advice: 'Treat a record that cannot be opened as a fault, never as a missing one.',
    needs: ['setup', 'store'],
    setups: managedSetups,
    runs: 12,
    reaches: { 'of another user': 2, damaged: 2, empty: 1 },
    ...eachOf(['of another user', 'damaged', 'empty']),
    async run(world, what) {
      await enrol(world, await openAda(world))
      const eve = world.browser('eve')
      await eve.arrive(await eve.visit('alpha', world.people.eve))
      const app = await enrol(world, eve)
      const [own, others] = world.rows.factors
      if (!own || !others) return
      own.factor =
        { 'of another user': others.factor, damaged: `${own.factor.slice(0, -3)}AAA`, empty: '' }[what] ?? ''
      const browser = await openAda(world)
      world.reach(what)
      world.check('SF-04', !(await isIn(browser)), `a record that is ${what} counts as no second factor`)
      await enterCode(world, browser, app.code())
      world.check(
        'SF-04',
        !(await isIn(browser)),
        `with a record that is ${what}, a code of Eve signs Ada in`,
      )
    },
  }),

  property({
    proves: ['SF-12'],
    name: 'lets one of two first enrolments at the same time succeed, and its app works',
    story: 'Ada enrols an app in two tabs, both show recovery codes, and the app that she keeps is dead.',
    advice: 'Store the first second factor of a user only if there is none yet, in one step.',
    needs: ['setup', 'store'],
    setups: managedSetups,
    runs: 8,
    async run(world) {
      const [one, two] = [await openAda(world), await openAda(world)]
      const setups = [await readSetup(world, one), await readSetup(world, two)] as const
      const pages = await Promise.all([finish(world, one, setups[0]), finish(world, two, setups[1])])
      const winners = setups.filter((_, n) => readRecoveryCodes(pages[n]?.text ?? '').length > 0)
      world.check('SF-12', winners.length === 1, `${winners.length} of two enrolments succeed`)
      world.clock.advance(period)
      const browser = await openAda(world)
      await enterCode(world, browser, winners[0]?.code() ?? '')
      world.check('SF-12', await hasFactor(browser), 'the app that was enrolled is not the one that works')
    },
  }),

  property({
    proves: ['SF-10'],
    name: 'lets a sign-in wait ten minutes for the second factor',
    story: 'Someone who copied the cookies of a sign-in finishes it days later.',
    advice: 'Seal the end of the sign-in into its cookie, and check it before the code.',
    needs: ['setup', 'clock'],
    setups: managedSetups,
    runs: 16,
    reaches: { early: 3, late: 3 },
    input: fc.record({ seconds: fc.integer({ min: 1, max: 1200 }) }),
    async run(world, { seconds }) {
      const app = await enrol(world, await openAda(world))
      const browser = await openAda(world)
      const isLate = seconds > 600
      world.advance(seconds)
      // The browser drops the cookie at the same time, which an attacker does not.
      await enterCode(world, browser, app.code())
      world.reach(isLate ? 'late' : 'early')
      const says = `${seconds} s after the first factor, the code signs ${isLate ? 'Ada' : 'nobody'} in`
      world.check('SF-10', (await isIn(browser)) === !isLate, says)
    },
  }),

  property({
    proves: ['SF-15'],
    name: 'has no routes and no claims of a second factor unless the site turns it on',
    story: 'An update adds a page to a site that never asked for it, or its sessions change their shape.',
    advice: 'Check the option before anything else, and leave amr and auth_time out of sessions without it.',
    needs: ['setup', 'store'],
    setups: { database: managedSetups.database },
    runs: 8,
    ...eachOf(['factor', 'factor-enrolment']),
    async run(base, route) {
      const { with: _, ...off } = managedSetups.database
      const world = await base.another(off, 'own')
      const browser = await openAda(world)
      for (const form of [undefined, { csrfToken: await browser.csrfToken(), code: '123456' }]) {
        const says = `requests ${route}`
        const { status } = await browser.send(`${world.basePath}/${route}`, { ...(form && { form }), says })
        base.check('SF-15', status === 404, `${route} has status ${status} on a site without it`)
      }
      const { json } = await browser.readSession()
      const claims = Object.keys(json ?? {}).filter((name) => ['amr', 'auth_time'].includes(name))
      base.check('SF-15', claims.length === 0, `the session has ${claims.join(' and ')}`)
    },
  }),
]
