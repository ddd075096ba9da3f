import { createServer } from 'node:http'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { createRequestListener } from '@remix-run/node-fetch-server'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { Idp } from './idp/contract.ts'
import { createIdp } from './idp/idp.ts'
import type { Mail, Mailbox } from './mailbox.ts'
import type { Outbound } from './network.ts'
import { usersOf, type RemoteName } from './people.ts'

/** Where the world of a running application listens, on this machine. */
export const places = { alpha: 0, beta: 1, plain: 2, smtp: 3 } as const
export const firstPort = 4010

/** The identity providers and the mail server of the world, for applications that run elsewhere. */
export interface Hosted {
  readonly idps: Readonly<Record<RemoteName, Idp>>
  readonly mailbox: Mailbox
  /** What the application asked of the providers. */
  readonly sent: readonly Outbound[]
  readonly close: () => Promise<void>
}

/** Milliseconds that a mail may take. */
const patience = 5_000

/**
 * Opens the world on loopback: `alpha`, `beta` and `plain` on three ports from `port` on, and the mail server on the
 * fourth.
 * @throws {Error} when a port is taken
 */
export async function openHosted(port = firstPort): Promise<Hosted> {
  const sent: Outbound[] = []
  const closing: (() => Promise<void>)[] = []
  const open = async (name: RemoteName) => {
    const at = port + places[name]
    const idp = createIdp({
      issuer: `http://127.0.0.1:${at}`,
      clients: [{ id: `client-at-${name}`, secret: `secret-at-${name}-0123456789` }],
      users: usersOf(name),
      ...(name === 'plain' && { metadata: { authorization_response_iss_parameter_supported: false } }),
    })
    const server = createServer(
      createRequestListener(async (request) => {
        sent.push({ method: request.method, url: request.url, body: await request.clone().text() })
        return idp.handle(request)
      }),
    )
    server.listen(at, '127.0.0.1')
    await once(server, 'listening')
    closing.push(async () => {
      server.closeAllConnections()
      server.close()
    })
    return idp
  }
  const idps = { alpha: await open('alpha'), beta: await open('beta'), plain: await open('plain') }
  const { mailbox, close } = await openMailServer(port + places.smtp)
  closing.push(close)
  return {
    idps,
    mailbox,
    sent,
    close: async () => void (await Promise.all(closing.map((end) => end()))),
  }
}

async function openMailServer(port: number) {
  const mails: Mail[] = []
  const news = new Set<() => void>()
  const mailbox: Mailbox = {
    mails,
    deliver: (mail) => {
      mails.push(mail)
      for (const tell of news) tell()
    },
    async waitFor(address, after) {
      const look = () => mails.slice(after).find(({ to }) => to === address)
      if (!look())
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, patience)
          const tell = () => {
            if (!look()) return
            clearTimeout(timer)
            news.delete(tell)
            resolve()
          }
          news.add(tell)
        })
      return look()
    },
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      const read = async () => {
        const { text, html } = await PostalMime.parse(await buffer(stream))
        const link = /https?:\/\/[^\s"<>]+\/callback\/[^\s"<>]+/.exec(text ?? html ?? '')?.[0]
        if (link === undefined) return
        for (const { address } of envelope.rcptTo)
          mailbox.deliver({ to: address, link: new URL(link.replaceAll('&amp;', '&')) })
      }
      void read().then(() => done(), done)
    },
  })
  const listening = server.listen(port, '127.0.0.1')
  await once(listening, 'listening')
  return { mailbox, close: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}
