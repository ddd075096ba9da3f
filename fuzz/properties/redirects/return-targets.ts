import fc from 'fast-check'
import type { Browser } from '../../world/browser.ts'
import type { Reply } from '../../world/reply.ts'
import { answerTo, requireOptions, enrol, openDevice } from '../../world/passkeys.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { withPasskeys } from '../support/passkeys.ts'

/** Every sign-in method with a redirect target, up to its last response. */
const signInMethods: Readonly<
  Record<string, (world: World, browser: Browser, target: string) => Promise<Reply>>
> = {
  'a provider': async (world, browser, callbackUrl) =>
    browser.arrive(await browser.visit('alpha', world.people.ada, { callbackUrl })),
  'a link': async (world, browser, callbackUrl) =>
    browser.followLink(await browser.requestLink(world.people.ada.address.mail, { callbackUrl })),
  'a link in another browser': async (world, browser, callbackUrl) =>
    browser.followLink(await world.browser().requestLink(world.people.ada.address.mail, { callbackUrl })),
  'a passkey': async (world, browser, callbackUrl) => {
    const device = openDevice(world, world.people.ada)
    await enrol(world, world.browser('ada'), device)
    world.prove(browser, world.people.ada, 'passkey')
    const options = await requireOptions(world, browser, 'authenticate', { action: 'authenticate' })
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

function redirectsBack(of: readonly string[]) {
  return {
    proves: ['RD-06'] as const,
    story: 'A user follows a link into an application, signs in, and ends up on its front page.',
    advice: 'Keep the redirect target from the form to the end of the sign-in, including mailed links.',
    runs: 20,
    input: fc.record({
      method: fc.constantFrom(...of),
      path: fc.constantFrom('/there', '/there?a=b'),
      isWhole: fc.boolean(),
    }),
    async run(
      world: World,
      {
        method,
        path,
        isWhole,
      }: { readonly method: string; readonly path: string; readonly isWhole: boolean },
    ) {
      const browser = world.browser()
      const wanted = world.origin + path
      const reply = await signInMethods[method]?.(world, browser, isWhole ? wanted : path)
      world.assume((await browser.whoAmI()) !== undefined, `nobody can sign in with ${method}`)
      const to = reply?.location?.href
      world.check('RD-06', to === wanted, `a sign-in with ${method} and the target ${wanted} ends at ${to}`)
      world.reach(method)
    },
  }
}

export const returnTargetProperties: readonly Property[] = [
  property({
    ...redirectsBack(['a provider', 'a link', 'a link in another browser']),
    name: 'redirects to the requested page after a sign-in',
  }),

  property({
    ...redirectsBack(['a password']),
    name: 'redirects to the requested page after a sign-in with a password',
    setups: { passwords: { strategy: 'jwt', providers: ['form'] } },
  }),

  property({
    ...redirectsBack(['a passkey']),
    name: 'redirects to the requested page after a sign-in with a passkey',
    needs: ['passkey'],
    setups: { passkeys: withPasskeys },
  }),
]
