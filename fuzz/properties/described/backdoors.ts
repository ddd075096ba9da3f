import { eachOf } from '../../arbitraries/every-of.ts'
import type { Browser } from '../../world/browser.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { remotes } from '../support/consent.ts'
import { describedBy, readUser, withQuery } from '../support/described.ts'

/** Routes with which developers and tests sign in as anyone. */
const paths: readonly string[] = [
  '/auth/developer/callback /auth/developer /dev/login /login/dev /dev-login /login/test /test/login',
  '/test-login /debug/login /login/debug /fake-login /mock-login /api/login /api/dev/login /api/test/login',
  '/impersonate /admin/impersonate /api/impersonate /login/as /login-as /become /su /switch-user',
  '/accounts/login/ /login /signin /sign-in /session /sessions /api/session /api/auth/login /auth/login',
].flatMap((line) => line.split(' '))

/** Names of the field that says who signs in. */
const names = ['email', 'mail', 'user', 'username', 'login', 'name', 'uid', 'user_id', 'as', 'identity', 'u']

export const backdoorProperties: readonly Property[] = [
  property({
    proves: ['SE-26'],
    name: 'signs nobody in by a route for developers and tests',
    story: 'A route that signs anyone in without a proof, for tests, is still there in production.',
    advice: 'Remove such routes, and such strategies, from everything that you deploy.',
    severity: 'takeover',
    needs: ['description'],
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      const { ada } = world.people
      const browser = world.browser('eve')
      world.prove(browser, ada, provider)
      const address = ada.address[provider]
      const fields = {
        ...Object.fromEntries(names.map((name) => [name, address])),
        password: 'x',
      }
      const says = 'opens a route for developers'
      for (const path of paths) {
        const at = `${describedBy(world).root}${path}`
        for (const sending of [{}, { method: 'POST', form: fields }, { method: 'POST', json: fields }]) {
          const isLink = sending.method === undefined
          const { cookies } = await browser.send(isLink ? withQuery(at, fields) : at, { ...sending, says })
          if (cookies.length > 0) await check(world, browser, path, address)
        }
      }
      await check(world, browser, 'one of these routes', address)
      await world.browser('ada').signIn(provider, ada)
    },
  }),
]

async function check(world: World, browser: Browser, path: string, address: string): Promise<void> {
  const shown = await readUser(world, browser, { says: 'reads the session' })
  const says = `${path} signs in ${world.people.ada.name} without a proof`
  world.check('SE-26', shown !== address, says, { observed: 'another user' })
}
