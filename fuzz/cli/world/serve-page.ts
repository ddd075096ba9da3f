import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequestListener } from '@remix-run/node-fetch-server'
import type { Hosted } from '../../world/hosted.ts'
import type { Journal } from '../../world/journal.ts'
import { people } from '../../world/people.ts'
import { controlProvider } from './control-provider.ts'
import { writeWorldPage } from './world-page.ts'

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

const plain = { 'content-type': 'text/plain; charset=utf-8' }

/**
 * Serves the page that lists requests and mails, on loopback. Its form selects the person who consents. The script of a
 * failure changes the providers at `control`, and reads the next mail to an address at `mail`.
 *
 * @throws {Error} if the port is in use
 */
export async function servePage(
  port: number,
  journal: Journal,
  { idps, mailbox }: Hosted,
): Promise<{ readonly close: () => void }> {
  let consenting = 'ada'
  const read = new Map<string, number>()
  /** Waits for a mail that no script has read, and redirects to its link. */
  const redirectToMail = async (to: string): Promise<Response> => {
    const before = read.get(to) ?? 0
    const mail = await mailbox.waitFor(to, before)
    if (!mail) return new Response(`no mail to ${to}\n`, { status: 404, headers: plain })
    read.set(to, mailbox.mails.indexOf(mail, before) + 1)
    return new Response(null, { status: 302, headers: { location: mail.link.href } })
  }
  const origins = [`http://127.0.0.1:${port}`, `http://localhost:${port}`]
  const respond = async (request: Request): Promise<Response> => {
    const { origin, pathname, searchParams } = new URL(request.url)
    // Another host is a site whose name resolves to this machine.
    if (!origins.includes(origin)) return new Response('unknown host', { status: 421 })
    const isForeign = (request.headers.get('origin') ?? origin) !== origin
    if (pathname === '/control' && request.method === 'POST')
      // A page of another site cannot leave out its origin.
      return isForeign
        ? new Response('another site', { status: 403 })
        : controlProvider(idps, await request.text())
    if (pathname === '/mail') return redirectToMail(searchParams.get('to') ?? '')
    if (pathname !== '/') return new Response('not found', { status: 404 })
    if (request.method !== 'POST')
      return new Response(writeWorldPage(journal.entries, consenting), { headers })
    if (request.headers.get('origin') !== origin) return new Response('another site', { status: 403 })
    const person = new URLSearchParams(await request.text()).get('person') ?? ''
    if (!Object.hasOwn(people, person)) return new Response('unknown person', { status: 400 })
    consenting = person
    for (const [provider, idp] of Object.entries(idps)) idp.choose(`${person}-at-${provider}`)
    return new Response(null, { status: 303, headers: { location: '/' } })
  }
  const server = createServer(createRequestListener(respond, { onError: () => {} })).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
