import { createServer } from 'node:http'
import { domainToASCII } from 'node:url'
import { createRequestListener } from '@remix-run/node-fetch-server'
import { readLimited } from 'authmachine/instrumented'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'
import type { Idp } from './idp/contract.ts'
import { createIdp } from './idp/idp.ts'
import { holdKeys } from './idp/hold-keys.ts'
import { loadKeys } from './idp/keys.ts'
import type { Journal } from './journal.ts'
import type { Mail, Mailbox } from './mailbox.ts'
import type { Outbound } from './network.ts'
import { usersOf, type RemoteName } from './people.ts'
import { firstPort, places } from './places.ts'

/** The identity providers and the mail server of the world, for applications that run elsewhere. */
export interface Hosted {
  readonly idps: Readonly<Record<RemoteName, Idp>>
  readonly mailbox: Mailbox
  /** The address of the page that the command `world` serves at these ports. */
  readonly page: string
  /** The application's requests to the providers. */
  readonly sent: readonly Outbound[]
  readonly close: () => Promise<void>
}

/** Milliseconds to wait for a mail. */
const patience = 2_000

/** Options of the servers. */
export interface HostedOptions {
  /** How the path of a mailed link begins. @default any path with `/callback/` */
  readonly link?: string | undefined
  /** The file with the keys of the providers and of the application; created if missing. @default new keys */
  readonly keys?: string | undefined
  /** Receives the reason why a client was refused, once for each reason. @default ignored */
  readonly complain?: ((line: string) => void) | undefined
  /** Records requests and mails. @default nothing */
  readonly journal?: Journal
}

/** Maximum bytes of a mail, and of a request to a provider: the application may be hostile. */
const sizeLimit = 1024 * 1024

/**
 * Opens the world on loopback: `alpha`, `beta` and `plain` on three ports starting at `port`, and the mail server on the
 * fourth.
 * @throws {Error} if a port is in use
 */
export async function openHosted(
  port = firstPort,
  { link, keys, complain = () => {}, journal }: HostedOptions = {},
): Promise<Hosted> {
  if (keys !== undefined) await holdKeys(keys)
  const { client } = await loadKeys()
  const explained = new Set<string>()
  const explain = (line: string) => {
    if (!explained.has(line)) complain(line)
    explained.add(line)
  }
  const sent: Outbound[] = []
  const closing: (() => Promise<void>)[] = []
  const open = async (name: RemoteName) => {
    const at = port + places[name]
    const idp = createIdp({
      issuer: `http://127.0.0.1:${at}`,
      clients: [
        {
          id: `client-at-${name}`,
          secret: `secret-at-${name}-0123456789`,
          publicJwk: client.publicJwk,
          method: 'any',
        },
      ],
      users: usersOf(name),
      explain: (reason) => explain(`${name} refused the client: ${reason}`),
      ...(name === 'plain' && { metadata: { authorization_response_iss_parameter_supported: false } }),
    })
    const server = createServer(
      createRequestListener(
        async (request) => {
          const { method, url, body } = request
          const { bytes, isCut } = await readLimited(body, sizeLimit)
          if (isCut) return new Response(null, { status: 413 })
          const text = new TextDecoder().decode(bytes)
          sent.push({ method, url, body: text })
          const response = await idp
            .handle(new Request(request, body ? { body: bytes } : {}))
            .catch((error: unknown) => new Response(String(error), { status: 500 }))
          await journal?.noteRequest(name, request, text, response)
          return response
        },
        // Prints nothing: the error quotes the request.
        { onError: () => {} },
      ),
    )
    await listen(server, at)
    closing.push(async () => {
      server.closeAllConnections()
      server.close()
    })
    return idp
  }
  const close = async () => void (await Promise.all(closing.map((end) => end())))
  try {
    const idps = { alpha: await open('alpha'), beta: await open('beta'), plain: await open('plain') }
    const mails = await openMailServer(port + places.smtp, link, journal)
    closing.push(mails.close)
    const page = `http://127.0.0.1:${port + places.page}`
    return { idps, page, mailbox: mails.mailbox, sent, close }
  } catch (error) {
    await close()
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    if (!isTaken) throw error
    throw new Error(
      `One of the ports ${port} to ${port + places.smtp} is in use: choose others with --port`,
      {
        cause: error,
      },
    )
  }
}

interface Listening {
  readonly on: (event: 'error', note: (error: Error) => void) => unknown
  readonly listen: (port: number, host: string, done: () => void) => unknown
}

/**
 * Starts a server. It then ignores errors, because each concerns a single connection, such as one that the application
 * resets.
 */
function listen(server: Listening, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
}

/** The mail server decodes internationalized domains; the application sends mail to the ASCII form. */
function inAscii(address: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at + 1)}${domainToASCII(address.slice(at + 1)) || address.slice(at + 1)}`
}

async function openMailServer(port: number, path?: string, journal?: Journal) {
  const mails: Mail[] = []
  const listeners = new Set<() => void>()
  const mailbox: Mailbox = {
    mails,
    deliver: (mail) => {
      mails.push(mail)
      for (const notify of listeners) notify()
    },
    async waitFor(address, after) {
      const look = () => mails.slice(after).find(({ to }) => to === address)
      if (!look())
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, patience)
          const notify = () => {
            if (!look()) return
            clearTimeout(timer)
            listeners.delete(notify)
            resolve()
          }
          listeners.add(notify)
        })
      return look()
    },
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    size: sizeLimit,
    // An application may keep a connection open for its next mail.
    closeTimeout: 500,
    onData(stream, { envelope }, done) {
      const read = async () => {
        const { text, html, subject = '' } = await PostalMime.parse(await readMail(stream))
        const links = findLinks(text ?? html ?? '')
        const to = envelope.rcptTo.map(({ address }) => inAscii(address))
        journal?.noteMail({ to, subject, links: links.map(decodeAmpersands) })
        const link = links.find((each) => isSignInLink(each, path))
        if (link === undefined) return
        for (const address of to) mailbox.deliver({ to: address, link: new URL(decodeAmpersands(link)) })
      }
      void read().then(() => done(), done)
    },
  })
  await listen(server, port)
  return { mailbox, close: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

/**
 * Reads a mail to its end, because the server waits for it.
 * @throws {Error} if the mail is too large. Nothing of it is kept then
 */
async function readMail(stream: SMTPServerDataStream): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream as AsyncIterable<Buffer>)
    if (stream.sizeExceeded) pieces.length = 0
    else pieces.push(piece)
  if (stream.sizeExceeded) throw new Error(`Expected a mail of at most ${sizeLimit} bytes`)
  return Buffer.concat(pieces)
}

/** Returns all links. Searches word by word, in time proportional to the length of the text. */
function findLinks(text: string): string[] {
  return text
    .split(/[\s"<>]+/)
    .map((word) => word.slice(Math.max(word.search(/https?:\/\//), 0)))
    .filter((word) => /^https?:\/\/./.test(word))
}

function isSignInLink(link: string, path: string | undefined): boolean {
  return path === undefined
    ? /^https?:\/\/.+\/callback\/./.test(link)
    : URL.canParse(link) && new URL(link).pathname.startsWith(path)
}

function decodeAmpersands(link: string): string {
  return link.replaceAll('&amp;', '&')
}
