import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createTransport } from 'nodemailer'
import type { Description } from '../../../fuzz/targets/described/description.ts'
import { exchange } from './small-app.ts'

/** The bug by which each property about applications with custom routes must fail, by the name of the property. */
export const carelessness = {
  'signs nobody out through a form on another site': 'signs out without a token',
  'starts no sign-in from a form without its CSRF token': 'starts a sign-in without a token',
  'starts no sign-in by a link, if a form starts it': 'starts a sign-in by a link',
  'signs nobody out by a link': 'signs out by a link',
  'signs in only once with a mailed link': 'keeps links',
  'mails a different token in every link': 'repeats links',
  'writes no token, verifier, client secret or session cookie to its log': 'logs cookies',
  'never redirects outside the application after a sign-in': 'returns anywhere',
  'never redirects outside the application after a sign-out': 'leaves to anywhere',
  'forbids shared caches to store who is signed in': 'lets caches keep the session',
  'shows no other site who is signed in': 'shows the session to other sites',
  'takes the host of its callback from no header that a client can send': 'believes forwarded hosts',
  'signs nobody in with the cookies from before the sign-in': 'keeps the session id',
  'accepts no copy of the cookies after a sign-out': 'keeps the session',
  'keeps the session cookie from scripts, other sites and plain HTTP': 'shows cookies to scripts',
  'gives every session a different cookie': 'repeats session ids',
  'shows each of several visitors only their own session, in any order and at the same time':
    'caches the session for everyone',
  'takes the user from no header of a request': 'believes headers that name a user',
  'gives nobody the user of another account because of an address that is not verified':
    'finds users by address',
  'takes no user for another whose address looks like theirs': 'removes tags from addresses',
  'takes no parameter of its authorization request from the link or form that starts a sign-in':
    'passes on its query',
  'takes no user for another whose subject differs only in case': 'compares subjects without case',
  'mails a link only to the address that it signs in, if a form has two': 'mails a link to several addresses',
  'shows the user of the last sign-in, if a second user signs in in the same browser': 'keeps the first user',
} as const satisfies Readonly<Record<string, string>>

export type Carelessness = (typeof carelessness)[keyof typeof carelessness]

interface Visitor {
  readonly proof: string
  mail?: string
  /** The id of the user. */
  id?: string
  pending?: { readonly state: string; readonly next: string }
}

/** How to use the application, with a log in this file. */
export function describeCareless(log: string): Description {
  return {
    signIn: { url: '/enter', fields: { with: '{provider}', next: '{returnTo}' } },
    session: { url: '/me', user: 'mail' },
    signOut: { url: '/leave', fields: { next: '{returnTo}' } },
    mail: { url: '/letter', fields: { to: '{address}' }, link: '/letter' },
    csrf: { from: '/', field: 'proof' },
    cookies: { session: 'sid' },
    log,
  }
}

/** Returns a page of the application, unless it follows every target. */
const inside = (target: string, follows: boolean) => (follows || /^\/\w*$/.test(target) ? target : '/')

/** Serves an application with forms, mailed links and a log, for the oracle at these ports, with at most one bug. */
export async function serveCarelessApp(
  oracle: number,
  log: string,
  bug?: Carelessness,
): Promise<{ readonly url: string; readonly close: () => void }> {
  const visitors = new Map<string, Visitor>()
  const links = new Map<string, string>()
  /** The ids of users, by account or address. */
  const users = new Map<string, string>()
  let cached: { readonly body: string; readonly until: number } | undefined
  const issuer = `http://127.0.0.1:${oracle}`
  const transport = createTransport({ host: '127.0.0.1', port: oracle + 3, ignoreTLS: true })
  let count = 0
  writeFileSync(log, '')

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const origin = `http://${request.headers.host}`
    const { pathname, searchParams } = new URL(request.url ?? '/', origin)
    const fields = new URLSearchParams(await text(request))
    const [sid, visitor] = recognise(/sid=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1])
    const keep = (id: string) =>
      response.setHeader(
        'set-cookie',
        `sid=${id}; Path=/; SameSite=Lax${bug === 'shows cookies to scripts' ? '' : '; HttpOnly'}`,
      )
    const redirect = (to: string) => void response.writeHead(302, { location: to }).end()
    const fail = () => void response.writeHead(400).end('refused')
    const begin = (mail: string, account = mail) => {
      const key = bug === 'finds users by address' ? mail : account
      const user = users.get(key) ?? randomUUID()
      users.set(key, user)
      if (bug === 'keeps the session id') {
        Object.assign(visitor, { mail, id: user })
        return keep(sid)
      }
      visitors.delete(sid)
      const id =
        bug === 'repeats session ids' ? `the-session-of-${mail.replaceAll(/\W/g, '-')}` : randomUUID()
      const isKept = bug === 'keeps the first user' && visitor.mail !== undefined
      visitors.set(id, isKept ? visitor : { proof: randomUUID(), mail, id: user })
      keep(id)
      appendFileSync(log, `a sign-in${bug === 'logs cookies' ? ` with ${id}` : ''}\n`)
    }
    const isProven = fields.get('proof') === visitor.proof
    // A refused form sets no cookie: it would replace the session, which the browser does not send with it.
    const isLink = bug === 'starts a sign-in by a link' && request.method !== 'POST'
    if (pathname === '/enter' && (request.method === 'POST' || isLink)) {
      if (!isProven && !isLink && bug !== 'starts a sign-in without a token') return fail()
      if (fields.get('with') !== 'alpha' && !isLink) return fail()
      keep(sid)
      visitor.pending = { state: randomUUID(), next: fields.get('next') ?? '/' }
      const { 'x-forwarded-host': host = request.headers.host } = request.headers
      const here = bug === 'believes forwarded hosts' ? `http://${String(host)}` : origin
      const query = { client_id: 'client-at-alpha', redirect_uri: `${here}/done`, scope: 'openid' }
      const { state } = visitor.pending
      const asked = bug === 'passes on its query' ? Object.fromEntries(searchParams) : {}
      return redirect(
        `${issuer}/authorize?${new URLSearchParams({ ...query, response_type: 'code', state, ...asked })}`,
      )
    }
    if (pathname === '/done') {
      const { pending } = visitor
      delete visitor.pending
      if (!pending || pending.state !== searchParams.get('state')) return fail()
      const { sub, email } = (await exchange(issuer, `${origin}/done`, searchParams.get('code') ?? '')) ?? {}
      if (email === undefined) return fail()
      begin(
        bug === 'removes tags from addresses' ? email.replace(/\+[^@]*/, '') : email,
        bug === 'compares subjects without case' ? sub?.toLowerCase() : sub,
      )
      return redirect(inside(pending.next, bug === 'returns anywhere'))
    }
    if (pathname === '/leave' && (request.method === 'POST' || bug === 'signs out by a link')) {
      const isFree = bug === 'signs out without a token' || bug === 'signs out by a link'
      if (!isProven && !isFree) return fail()
      if (bug !== 'keeps the session') visitors.delete(sid)
      response.setHeader('set-cookie', 'sid=; Max-Age=0; Path=/')
      return redirect(inside(fields.get('next') ?? '/', bug === 'leaves to anywhere'))
    }
    if (pathname === '/letter' && request.method === 'POST') {
      if (!isProven) return fail()
      const key = bug === 'repeats links' ? 'a-link-of-this-application' : randomUUID()
      const to = fields.get('to') ?? ''
      links.set(key, to)
      const recipients = bug === 'mails a link to several addresses' ? fields.getAll('to') : to
      await transport.sendMail({
        from: 'app@app.example',
        to: recipients,
        text: `${origin}/letter?key=${key}`,
      })
      return response.end('sent')
    }
    if (pathname === '/letter') {
      const key = searchParams.get('key') ?? ''
      const mail = links.get(key)
      if (mail === undefined) return fail()
      if (bug !== 'keeps links') links.delete(key)
      begin(mail)
      return redirect('/')
    }
    if (pathname === '/') keep(sid)
    response.setHeader('cache-control', bug === 'lets caches keep the session' ? 'max-age=60' : 'no-store')
    if (bug === 'shows the session to other sites' && request.headers.origin !== undefined) {
      response.setHeader('access-control-allow-origin', request.headers.origin)
      response.setHeader('access-control-allow-credentials', 'true')
    }
    response.setHeader('content-type', pathname === '/me' ? 'application/json' : 'text/html')
    return response.end(pathname === '/me' ? showUser(visitor, request) : writePage(visitor.proof))
  }

  function showUser({ mail, id }: Visitor, { headers }: IncomingMessage): string {
    const named = bug === 'believes headers that name a user' ? headers['x-forwarded-email'] : undefined
    const body = JSON.stringify({ mail: named ?? mail, id })
    if (bug !== 'caches the session for everyone') return body
    if (cached && cached.until > Date.now()) return cached.body
    if (mail !== undefined) cached = { body, until: Date.now() + 1000 }
    return body
  }

  /** Returns the session of a browser. One without a session gets a new one. */
  function recognise(held: string | undefined): readonly [string, Visitor] {
    const known = held === undefined ? undefined : visitors.get(held)
    if (held !== undefined && known) return [held, known]
    const made = [`visitor-${count++}-${randomUUID()}`, { proof: randomUUID() }] as const
    visitors.set(...made)
    return made
  }

  const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
      transport.close()
    },
  }
}

/** Writes the front page: forms that sign in, mail a link, and sign out. */
function writePage(proof: string): string {
  const form = (action: string, content: string) =>
    `<form method="post" action="${action}"><input type="hidden" name="proof" value="${proof}">${content}</form>`
  return [
    form('/enter', '<button name="with" value="alpha">Continue</button>'),
    form('/letter', '<input type="email" name="to"><button>Mail a link</button>'),
    form('/leave', '<button>Leave</button>'),
  ].join('')
}
