import { eachOf } from '../../arbitraries/every-of.ts'
import { Absent, Unreached } from '../../world/breach.ts'
import type { Browser } from '../../world/browser.ts'
import type { RemoteName } from '../../world/people.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { remotes } from '../support/consent.ts'
import { describedBy, listSessionCookies } from '../support/described.ts'
import { linesOf, readLine, showLine } from '../support/set-cookie-lines.ts'

const unprotected = { observed: 'a missing protection' } as const

export const describedCookieProperties: readonly Property[] = [
  property({
    proves: ['CK-01'],
    name: 'keeps the session cookie from scripts, other sites and plain HTTP',
    story: 'A script in a page, or a request of another site, uses the session.',
    advice: 'Set HttpOnly, SameSite=Lax and, with https, Secure.',
    needs: ['custom-routes'],
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      const browser = world.browser('ada')
      const url = (await browser.start(provider)).location
      const isFormPost = url?.searchParams.get('response_mode') === 'form_post'
      await browser.signIn(provider, world.people.ada)
      await useEverything(world, browser, provider)
      const isEncrypted = world.origin.startsWith('https:')
      const others = await listOtherSessions(world, browser)
      for (const line of [...others, ...listSessionCookies(world)]) {
        const { name, attributes } = line
        const sent = `: set-cookie: ${showLine(line)}`
        world.check('CK-01', attributes.has('httponly'), `${name} is not HttpOnly${sent}`, unprotected)
        const isSecure = !isEncrypted || attributes.has('secure')
        world.check(
          'CK-01',
          isSecure,
          `${name} is not Secure, although the application has https${sent}`,
          unprotected,
        )
        const sameSite = attributes.get('samesite')?.toLowerCase()
        const isLax = ['lax', 'strict'].includes(sameSite ?? '') || (sameSite === 'none' && isFormPost)
        const says = `${name} has ${sameSite === undefined ? 'no SameSite attribute' : `SameSite=${sameSite}`}${sent}`
        world.check('CK-01', isLax, says, unprotected)
      }
    },
  }),

  property({
    proves: ['CK-02'],
    name: 'keeps the session cookie from subdomains',
    story: 'A subdomain that another party controls receives the session of every visitor.',
    advice:
      'Set the session cookie without Domain, and name it with the prefix __Host- if the site has https.',
    needs: ['custom-routes'],
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      await world.browser('ada').signIn(provider, world.people.ada).catch(ignoreRefusedCookie)
      for (const { name, attributes } of listSessionCookies(world)) {
        const domain = attributes.get('domain') ?? ''
        const says = `${name} has the Domain ${domain}, so all its subdomains receive it`
        world.check('CK-02', domain === '', says, unprotected)
      }
    },
  }),
]

/** A browser does not keep a cookie whose Domain is not that of the application. */
function ignoreRefusedCookie(error: unknown): void {
  if (!(error instanceof Unreached)) throw error
}

/** Opens pages, signs in again and signs in by mail, because each response may set the cookie in its own way. */
async function useEverything(world: World, browser: Browser, provider: RemoteName): Promise<void> {
  const { ada } = world.people
  await browser.send(`${describedBy(world).root}/`, { says: 'opens the front page' })
  world.prove(browser, ada, provider)
  await browser.arrive(await browser.visit(provider, ada))
  await browser.readSession()
  try {
    const reader = world.browser('ada')
    await reader.followLink(await reader.requestLink(ada.address.mail))
  } catch (error) {
    if (!(error instanceof Absent)) throw error
  }
}

/** Returns the lines of further cookies that sign a browser in on their own, such as one that remembers the user. */
async function listOtherSessions(world: World, browser: Browser) {
  const { ada } = world.people
  const { sessionCookie } = describedBy(world)
  const lines = linesOf(world).map(({ line }) => readLine(line))
  const found = []
  for (const [name, value] of Object.entries(browser.cookies())) {
    if (sessionCookie({ [name]: value }) !== '') continue
    const other = world.browser('ada')
    world.prove(other, ada, 'alpha')
    other.setCookie(`${name}=${value}; Path=/`)
    if ((await other.whoAmI()) === ada.name)
      found.push(...lines.filter((line) => line.name === name && line.value === value))
  }
  return found
}
