import { eachOf } from '../../arbitraries/every-of.ts'
import { Unreached } from '../../world/breach.ts'
import { property, type Property } from '../property.ts'
import { remotes } from '../support/consent.ts'
import { describedBy } from '../support/described.ts'
import { linesOf, readLine } from '../support/set-cookie-lines.ts'

const unprotected = { observed: 'a missing protection' } as const

export const describedCookieProperties: readonly Property[] = [
  property({
    proves: ['CK-01'],
    name: 'keeps the session cookie from scripts, other sites and plain HTTP',
    story: 'A script in a page, or a request of another site, uses the session.',
    advice: 'Set HttpOnly, SameSite=Lax and, with https, Secure.',
    needs: ['description'],
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      const { sessionCookie } = describedBy(world)
      const browser = world.browser('ada')
      const url = (await browser.start(provider)).location
      const isFormPost = url?.searchParams.get('response_mode') === 'form_post'
      await browser.signIn(provider, world.people.ada)
      const isEncrypted = world.origin.startsWith('https:')
      const set = linesOf(world)
        .map(({ line }) => readLine(line))
        .filter(({ name, value }) => value !== '' && sessionCookie({ [name]: value }) !== '')
      world.assume(set.length > 0, 'no response sets the session cookie of the description')
      for (const { name, attributes } of set) {
        world.check('CK-01', attributes.has('httponly'), `${name} is not HttpOnly`, unprotected)
        const isSecure = !isEncrypted || attributes.has('secure')
        world.check(
          'CK-01',
          isSecure,
          `${name} is not Secure, although the application has https`,
          unprotected,
        )
        const sameSite = attributes.get('samesite')?.toLowerCase() ?? 'nothing'
        const isLax = ['lax', 'strict'].includes(sameSite) || (sameSite === 'none' && isFormPost)
        world.check('CK-01', isLax, `${name} has SameSite ${sameSite}`, unprotected)
      }
    },
  }),

  property({
    proves: ['CK-02'],
    name: 'keeps the session cookie from subdomains',
    story: 'A subdomain that another party controls receives the session of every visitor.',
    advice:
      'Set the session cookie without Domain, and name it with the prefix __Host- if the site has https.',
    needs: ['description'],
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      const { sessionCookie } = describedBy(world)
      await world.browser('ada').signIn(provider, world.people.ada).catch(ignoreRefusedCookie)
      const set = linesOf(world)
        .map(({ line }) => readLine(line))
        .filter(({ name, value }) => value !== '' && sessionCookie({ [name]: value }) !== '')
      world.assume(set.length > 0, 'no response sets the session cookie of the description')
      for (const { name, attributes } of set) {
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
