import fc from 'fast-check'
import type { Browser } from '../world/browser.ts'
import type { Reply } from '../world/reply.ts'
import { answerTo, demandOptions, enrol, openDevice } from '../world/passkeys.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { withPasskeys } from './support/passkeys.ts'

/** Every way in, to this target, to its last answer. */
const doors: Readonly<Record<string, (world: World, browser: Browser, target: string) => Promise<Reply>>> = {
  'a provider': async (world, browser, callbackUrl) =>
    browser.arrive(await browser.visit('alpha', world.people.ada, { callbackUrl })),
  'a link': async (world, browser, callbackUrl) =>
    browser.followLink(await browser.askLink(world.people.ada.address.mail, { callbackUrl })),
  'a link in another browser': async (world, browser, callbackUrl) =>
    browser.followLink(await world.browser().askLink(world.people.ada.address.mail, { callbackUrl })),
  'a passkey': async (world, browser, callbackUrl) => {
    const device = openDevice(world, world.people.ada)
    await enrol(world, world.browser('ada'), device)
    world.prove(browser, world.people.ada, 'passkey')
    const options = await demandOptions(world, browser, 'authenticate', { action: 'authenticate' })
    const data = JSON.stringify(answerTo(device, 'authenticate', options))
    return browser.send(`${world.basePath}/callback/${world.idOf('passkey')}`, {
      form: { csrfToken: await browser.csrfToken(), action: 'authenticate', data, callbackUrl },
    })
  },
  'a password': async (world, browser, callbackUrl) =>
    browser.send(`${world.basePath}/callback/${world.idOf('form')}`, {
      form: {
        csrfToken: await browser.csrfToken(),
        callbackUrl,
        username: 'ada',
        password: world.people.ada.password,
      },
    }),
}

function ledBack(of: readonly string[]) {
  return {
    proves: ['RD-06'] as const,
    story: 'Somebody follows a link into an application, signs in, and ends at its front page.',
    advice: 'Keep the target from the form to the end of the sign-in, in the mail too.',
    runs: 20,
    input: fc.record({
      door: fc.constantFrom(...of),
      path: fc.constantFrom('/there', '/there?a=b'),
      isWhole: fc.boolean(),
    }),
    async run(
      world: World,
      { door, path, isWhole }: { readonly door: string; readonly path: string; readonly isWhole: boolean },
    ) {
      const browser = world.browser()
      const wanted = world.origin + path
      const reply = await doors[door]?.(world, browser, isWhole ? wanted : path)
      world.demand((await browser.whoAmI()) !== undefined, `nobody is signed in by ${door}`)
      const to = reply?.location?.href
      world.hold('RD-06', to === wanted, `a sign-in by ${door}, which was to end at ${wanted}, ends at ${to}`)
      world.reach(door)
    },
  }
}

export const ledBackProperties: readonly Property[] = [
  property({
    ...ledBack(['a provider', 'a link', 'a link in another browser']),
    name: 'whoever signs in is led to where they wanted to go',
  }),

  property({
    ...ledBack(['a password']),
    name: 'whoever signs in by a password is led to where they wanted to go',
    setups: { passwords: { strategy: 'jwt', providers: ['form'] } },
  }),

  property({
    ...ledBack(['a passkey']),
    name: 'whoever signs in by a passkey is led to where they wanted to go',
    needs: ['passkey'],
    setups: { passkeys: withPasskeys },
  }),
]
