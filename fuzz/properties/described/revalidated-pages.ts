import { eachOf } from '../../arbitraries/every-of.ts'
import type { Reply } from '../../world/reply.ts'
import { property, type Property } from '../property.ts'
import { remotes } from '../support/consent.ts'
import { describedBy } from '../support/described.ts'

/** Without this, `fetch` sends `no-cache` with a conditional request, which browsers do not. */
const asBrowsersDo = { 'cache-control': 'max-age=0' } as const

export const revalidatedPageProperties: readonly Property[] = [
  property({
    proves: ['CC-12'],
    name: 'never reports the page of one user as unchanged to another visitor of the same browser',
    story:
      'Bob signs in at a shared computer, the application says that the page has not changed, and the browser shows that of Ada.',
    advice: 'Compute the ETag from the whole response, or send `Cache-Control: no-store` and no ETag.',
    severity: 'leak',
    needs: ['description'],
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      const { ada, bob } = world.people
      const { path, sending } = describedBy(world).sessionRequest
      const [first, next] = [world.browser('ada'), world.browser('bob')]
      await first.signIn(provider, ada)
      const validators = validatorsOf(await first.send(path, { ...sending, says: 'opens its page' }))
      await next.signIn(provider, bob)
      const headers = { ...sending.headers, ...asBrowsersDo, ...validators }
      for (const browser of [next, world.browser('eve')]) {
        const says = 'asks whether the cached page of another user has changed'
        const { status } = await browser.send(path, { ...sending, headers, says })
        const who = browser === next ? bob.name : 'a visitor without a session'
        const text = `${path} tells the browser of ${who} that the page of ${ada.name} has not changed`
        world.check('CC-12', status !== 304, text, { observed: 'a secret' })
      }
    },
  }),
]

/**
 * Returns the headers with which a browser asks whether a stored page has changed. There are none for a page that it does
 * not store, or about which it cannot ask. Then it always gets the page for its session.
 */
function validatorsOf({ headers }: Reply): Readonly<Record<string, string>> {
  const [etag, modified] = [headers.get('etag'), headers.get('last-modified')]
  if (/\bno-store\b/i.test(headers.get('cache-control') ?? '')) return {}
  if (etag !== null) return { 'if-none-match': etag }
  return modified === null ? {} : { 'if-modified-since': modified }
}
