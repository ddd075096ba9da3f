import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import type { Description } from '../../../fuzz/targets/described/description.ts'
import { exchange, type Exchanged } from './small-app.ts'

/** The bug by which each property about applications with custom routes must fail, by the name of the property. */
export const carelessness = {
  'still runs, and keeps its sessions, after requests that no browser sends':
    'decodes URLs after the response',
  'signs nobody out through a form on another site': 'signs out without a token',
  'starts no sign-in from a form without its CSRF token': 'starts a sign-in without a token',
  'starts no sign-in by a link, if a form starts it': 'starts a sign-in by a link',
  'signs nobody out by a link': 'signs out by a link',
  'signs nobody out by a link to the callback': 'ends the session at an error',
  'signs in only once with a mailed link': 'keeps links',
  'signs in only one of two browsers that open a mailed link at once': 'keeps links for a moment',
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
  'takes no user for another whose subject only resembles theirs': 'compares subjects without case',
  'signs nobody in with a cookie that it did not issue': 'keeps the user in a second cookie',
  'keeps a secret in the session cookie': 'makes session ids of addresses',
  'takes the user from no parameter and no cookie that names one': 'believes a parameter that names a user',
  'takes the user from no parameter of the request that starts a sign-in':
    'believes an address in a sign-in request',
  'takes the session from no URL': 'reads the session id from the URL',
  'shows no token, session id, verifier or client secret in a response': 'shows the access token',
  'shows no stack trace and no secret when something fails': 'shows stack traces',
  'shows no parameter of a request as markup, as the target of a link or outside its attribute':
    'shows a parameter as markup',
  'shows no name, address or link of a user as markup': 'shows names as markup',
  'shows no address that a visitor enters as markup': 'shows the recipient of a mail as markup',
  'takes no user for another because of a name that users choose at a provider':
    'reads the address from a user name',
  'never reports the page of one user as unchanged to another visitor of the same browser':
    'has one ETag for all users',
  'shows no secret, session or other user on a page for developers, or in a file of the project':
    'shows all sessions on a page',
  'signs nobody in with an Authorization header that it did not issue': 'accepts any password',
  'signs nobody in with the cookies from before a sign-in by mail': 'keeps the session id',
  'signs in nobody else with a link that was mailed to an address which looks like theirs':
    'removes tags from mailed addresses',
  'writes no mailed link to its log': 'logs links',
  'signs in the same user with each mailed link': 'forgets the address of a user who returns',
  'signs nobody in with an incomplete session id, a pattern or an empty text':
    'finds sessions by their beginning',
  'ends no session of another user whom the request of a sign-out names': 'signs out whom a parameter names',
  'accepts no copy of the cookies after a sign-out that overtook other requests': 'stores sessions late',
  'signs nobody in, and sends no mail, for a form without its CSRF token': 'mails a link without a token',
  'never redirects outside the application where a sign-in or a sign-out has nothing to do':
    'returns a user anywhere',
  'follows no target of a parameter where a sign-in or a sign-out has nothing to do':
    'follows a target of a user',
  'redirects no path outside the application': 'removes slashes at the end',
  'lets no shared cache store a page that shows who is signed in, under the name of a file':
    'lets caches keep files',
  'follows no target outside the application in a parameter or header that nobody described':
    'follows a target in the response of the provider',
  'forbids shared caches to store a response that sets the session cookie': 'lets caches keep a sign-in',
  'shows no other site who is signed in, by a script': 'calls a function of another site',
  'takes the host of a redirect or a mailed link from no header that a client can send':
    'mails links to forwarded hosts',
  'keeps users apart whose subjects are long, or equal as numbers': 'cuts subjects',
  'signs two visitors in as themselves, if their sign-ins overlap': 'shares one sign-in',
  'ends the session that a browser held before its next sign-in': 'keeps earlier sessions',
  'ends no session of another browser at a sign-out': 'signs everybody out',
  'lets a browser with broken cookies sign in again': 'fails on broken cookies',
  'gives every session an id that nobody can guess': 'counts sessions',
  'keeps the session cookie from subdomains': 'shares cookies with subdomains',
  'mails a token that nobody can guess': 'counts links',
  'signs in only the user to whom a link was mailed, whatever address it names':
    'believes the address in a link',
  'signs nobody in with a link whose token is missing or wrong': 'finds links by their beginning',
  'does not use up a link when a program only looks at it': 'uses up links by HEAD',
  'responds to a request for a link in the same way, whether or not the address has a user':
    'tells who has an account',
  'signs nobody in if the response has no code, or the token endpoint fails': 'signs in on a failure',
  'signs nobody in if nothing says who it is, because the userinfo endpoint fails':
    'signs in without userinfo',
  'keeps the user of an account whose address changes': 'finds users by address',
  'writes no line to its log that a request composed': 'logs a parameter',
  'accepts no CSRF token from before the sign-in': 'keeps the CSRF token',
  'lets no other site show its forms in a frame': 'lets its forms be framed',
  'leaves nobody signed in after a sign-out': 'ignores a sign-out',
  'issues no session token without an expiry': 'issues tokens without an expiry',
  'keeps no session cookie for longer than 400 days': 'keeps cookies for years',
  'mails a link to one address only, however a form writes several': 'mails a link to a list',
  'mails a link only to the address that it signs in, if a form has two': 'mails a link to several addresses',
  'shows the user of the last sign-in, if a second user signs in in the same browser': 'keeps the first user',
  'never redirects outside the application after a sign-in that fails': 'returns anywhere after a failure',
  'follows no target outside the application when a sign-in fails, or on the page that shows this':
    'follows a target on the page of a failure',
  'links no account to the user of the session, unless somebody asks for it':
    'links a new account to the session',
  'gives an account no address that its provider reports later and did not verify':
    'stores every address that a provider reports',
  'takes no right of a user from a parameter, a cookie or a header': 'reads a role from a sign-in request',
  'takes neither the user nor a right from a request that changes a profile':
    'copies a form into the session',
  'signs nobody in by a route for developers and tests': 'signs in anyone on a route for tests',
  'gives every visitor a CSRF token that nobody can guess': 'counts CSRF tokens',
  'keeps users apart who have no address': 'finds users without an address',
  'keeps users apart who sign in while the userinfo endpoint fails': 'signs in without a subject',
  'lets no browser show who was signed in from its cache': 'lets browsers keep the session',
} as const satisfies Readonly<Record<string, string>>

export type Carelessness = (typeof carelessness)[keyof typeof carelessness]

/** The providers, by the distance of their ports. */
const offsets = { alpha: 0, plain: 2 } as const

interface Visitor {
  readonly proof: string
  mail?: string
  role?: string | null
  /** The id of the user. */
  id?: string
  name?: string | undefined
  token?: string
  pending?: {
    readonly state: string
    readonly next: string
    readonly name: keyof typeof offsets
    readonly mail: string | null
    readonly role?: string | null
  }
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
  /** The accounts that have an address, if a bug stores it. */
  const owners = new Map<string, string>()
  let last: Exchanged | undefined
  let current: Promise<Exchanged | undefined> | undefined
  let cached: { readonly body: string; readonly until: number } | undefined
  const issuerOf = (name: keyof typeof offsets) => `http://127.0.0.1:${oracle + offsets[name]}`
  const transport = createTransport({ host: '127.0.0.1', port: oracle + 3, ignoreTLS: true })
  let count = 0
  writeFileSync(log, '')

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { pathname, searchParams } = new URL(`${origin}${request.url ?? '/'}`)
    const fields = new URLSearchParams(await text(request))
    const { cookie = '' } = request.headers
    if (bug === 'fails on broken cookies') decodeURIComponent(cookie)
    const inUrl = bug === 'reads the session id from the URL' ? searchParams.get('sid') : undefined
    const [sid, visitor] = recognise(inUrl ?? /sid=([\w.-]+)/.exec(cookie)?.[1])
    const keep = (id: string, mail?: string) =>
      response.setHeader('set-cookie', [
        `sid=${id}; Path=/; SameSite=Lax${attributesFor(origin)}`,
        ...(bug === 'keeps the user in a second cookie' && mail !== undefined
          ? [`who=${Buffer.from(mail).toString('base64url')}; Path=/; HttpOnly; SameSite=Lax`]
          : []),
      ])
    const redirect = (to: string) => void response.writeHead(302, { location: to }).end()
    const fail = () =>
      void response.writeHead(400).end(bug === 'shows stack traces' ? new Error('refused').stack : 'refused')
    /** Ends a sign-in that failed, on a separate page. */
    const refuse = (next = '/') => {
      if (bug === 'returns anywhere after a failure') return redirect(next)
      return redirect('/failed')
    }
    const begin = (mail: string, account = mail, shown: Partial<Visitor> = {}) => {
      const isKeyed =
        bug === 'finds users by address' || (bug === 'finds users without an address' && mail === '')
      const key = isKeyed ? mail : account
      const linked = bug === 'links a new account to the session' ? visitor.id : undefined
      const user = users.get(key) ?? linked ?? randomUUID()
      users.set(key, user)
      if (bug === 'keeps the session id') {
        Object.assign(visitor, { mail, id: user })
        return keep(sid)
      }
      if (bug !== 'keeps earlier sessions') visitors.delete(sid)
      const id = makeId(mail)
      const isKept = bug === 'keeps the first user' && visitor.mail !== undefined
      visitors.set(
        id,
        isKept
          ? visitor
          : {
              proof: bug === 'keeps the CSRF token' ? visitor.proof : makeProof(),
              mail,
              id: user,
              ...shown,
            },
      )
      keep(id, mail)
      appendFileSync(log, `a sign-in${bug === 'logs cookies' ? ` with ${id}` : ''}\n`)
    }
    const isProven = fields.get('proof') === visitor.proof
    // A refused form sets no cookie: it would replace the session, which the browser does not send with it.
    const isLink = bug === 'starts a sign-in by a link' && request.method !== 'POST'
    if (pathname === '/enter' && (request.method === 'POST' || isLink)) {
      if (!isProven && !isLink && bug !== 'starts a sign-in without a token') return fail()
      const wanted = fields.get('with') ?? searchParams.get('with') ?? ''
      if (!Object.hasOwn(offsets, wanted)) return fail()
      const name = wanted as keyof typeof offsets
      const isIn = visitor.mail !== undefined
      if (isIn && bug === 'returns a user anywhere') return redirect(fields.get('next') ?? '/')
      const asked = searchParams.get('goto')
      if (isIn && bug === 'follows a target of a user' && asked !== null) return redirect(asked)
      keep(sid)
      const mail = bug === 'believes an address in a sign-in request' ? fields.get('email') : null
      const role = bug === 'reads a role from a sign-in request' ? searchParams.get('role') : null
      visitor.pending = { state: randomUUID(), next: fields.get('next') ?? '/', name, mail, role }
      const { 'x-forwarded-host': host = request.headers.host } = request.headers
      const here = bug === 'believes forwarded hosts' ? `http://${String(host)}` : origin
      const query = { client_id: `client-at-${name}`, redirect_uri: `${here}/done`, scope: 'openid' }
      const { state } = visitor.pending
      const passed = bug === 'passes on its query' ? Object.fromEntries(searchParams) : {}
      return redirect(
        `${issuerOf(name)}/authorize?${new URLSearchParams({ ...query, response_type: 'code', state, ...passed })}`,
      )
    }
    if (pathname === '/done') {
      const { pending } = visitor
      if (bug === 'logs a parameter') appendFileSync(log, `a response with ${searchParams.get('state')}\n`)
      delete visitor.pending
      if (!pending || pending.state !== searchParams.get('state')) {
        if (bug === 'ends the session at an error') visitors.delete(sid)
        return refuse(pending?.next)
      }
      const code = searchParams.get('code') ?? ''
      const exchanged = exchange(issuerOf(pending.name), `${origin}/done`, code, pending.name).catch(
        () => undefined,
      )
      current = exchanged
      await exchanged
      const found = keepsLast(pending.name, await (bug === 'shares one sign-in' ? current : exchanged))
      if (!found?.sub && !(found && bug === 'signs in without a subject')) return refuse(pending.next)
      const { sub, email = '', name, nickname, token } = found
      const named = bug === 'reads the address from a user name' ? nickname : undefined
      const mail = named ?? (bug === 'removes tags from addresses' ? email.replace(/\+[^@]*/, '') : email)
      const account = `${pending.name} ${accountOf(sub)}`
      if (isTaken(mail, account)) return fail()
      begin(pending.mail ?? mail, account, { name, token, role: pending.role ?? null })
      if (bug === 'lets caches keep a sign-in') response.setHeader('cache-control', 'max-age=60')
      const hidden = bug === 'follows a target in the response of the provider' && searchParams.get('goto')
      return redirect(hidden || inside(pending.next, bug === 'returns anywhere'))
    }
    if (pathname === '/leave' && (request.method === 'POST' || bug === 'signs out by a link')) {
      const isFree = bug === 'signs out without a token' || bug === 'signs out by a link'
      if (!isProven && !isFree) return fail()
      if (bug === 'ignores a sign-out') return redirect('/')
      if (bug !== 'keeps the session') visitors.delete(sid)
      if (bug === 'signs everybody out') visitors.clear()
      if (bug === 'signs out whom a parameter names')
        for (const [id, { mail }] of visitors) if (mail === searchParams.get('email')) visitors.delete(id)
      response.setHeader('set-cookie', 'sid=; Max-Age=0; Path=/')
      return redirect(inside(fields.get('next') ?? '/', bug === 'leaves to anywhere'))
    }
    if (pathname === '/letter' && request.method === 'POST') {
      if (!isProven && bug !== 'mails a link without a token') return fail()
      const key = makeKey()
      const to = fields.get('to') ?? ''
      const isOne = /^[^\s,;<>"%]+@[^\s,;<>"%@]+$/.test(to)
      if (bug === 'shows the recipient of a mail as markup' && !isOne)
        return response.writeHead(400, { 'content-type': 'text/html' }).end(to)
      if (!isOne && bug !== 'mails a link to a list') return fail()
      links.set(key, bug === 'removes tags from mailed addresses' ? to.replace(/\+[^@]*/, '') : to)
      if (bug === 'logs links') appendFileSync(log, `mails the link ${key}\n`)
      const { 'x-forwarded-host': host = request.headers.host } = request.headers
      const here = bug === 'mails links to forwarded hosts' ? `http://${String(host)}` : origin
      const address = bug === 'believes the address in a link' ? `&to=${encodeURIComponent(to)}` : ''
      const recipients = bug === 'mails a link to several addresses' ? fields.getAll('to') : to
      await transport.sendMail({
        from: 'app@app.example',
        to: recipients,
        text: `${here}/letter?key=${key}${address}`,
      })
      const isNew = bug === 'tells who has an account' && !users.has(to)
      return response.end(isNew ? 'a new user' : 'sent')
    }
    if (pathname === '/letter' && (request.method === 'GET' || bug === 'uses up links by HEAD')) {
      const key = searchParams.get('key') ?? ''
      const mail = findLink(key)
      if (mail === undefined) return fail()
      if (bug === 'keeps links for a moment') setTimeout(() => links.delete(key), 200)
      else if (bug !== 'keeps links') links.delete(key)
      const isForgotten = bug === 'forgets the address of a user who returns' && users.has(mail)
      begin(
        isForgotten ? '' : (bug === 'believes the address in a link' && searchParams.get('to')) || mail,
        mail,
      )
      return redirect('/')
    }
    const goto = bug === 'follows a target on the page of a failure' ? searchParams.get('goto') : null
    if (pathname === '/failed') return goto === null ? fail() : redirect(goto)
    if (bug === 'removes slashes at the end' && /.\/$/.test(pathname)) return redirect(pathname.slice(0, -1))
    if (bug === 'shows all sessions on a page' && pathname === '/debug')
      return response.end([...visitors.keys()].join(' '))
    if (pathname === '/') keep(sid)
    if (bug !== 'lets its forms be framed') response.setHeader('x-frame-options', 'DENY')
    const isFile = bug === 'lets caches keep files' && /^\/me.*\.css$/.test(pathname)
    const isStored = isFile || bug === 'lets caches keep the session'
    response.setHeader('cache-control', isStored ? 'max-age=60' : 'no-store')
    if (bug === 'shows the session to other sites' && request.headers.origin !== undefined) {
      response.setHeader('access-control-allow-origin', request.headers.origin)
      response.setHeader('access-control-allow-credentials', 'true')
    }
    const isSession = pathname === '/me' || isFile
    if (pathname === '/me' && bug === 'copies a form into the session' && fields.has('email'))
      Object.assign(visitor, { mail: fields.get('email'), role: fields.get('role') })
    if (pathname === '/test/login' && bug === 'signs in anyone on a route for tests')
      begin(searchParams.get('email') ?? fields.get('email') ?? '')
    if (isSession && bug === 'lets browsers keep the session')
      response.setHeader('cache-control', 'private, max-age=60')
    if (isSession && bug === 'stores sessions late') {
      await wait(20)
      visitors.set(sid, visitor)
    }
    response.setHeader('content-type', isSession ? 'application/json' : 'text/html')
    if (isSession && bug === 'has one ETag for all users') {
      response.setHeader('cache-control', 'private, no-cache')
      response.setHeader('etag', '"page"')
      if (request.headers['if-none-match'] === '"page"') return response.writeHead(304).end()
    }
    if (isSession) return response.end(showUser(visitor, request, searchParams))
    const title = bug === 'shows a parameter as markup' ? searchParams.get('q') : ''
    const name = bug === 'shows names as markup' ? visitor.name : ''
    return response.end(`${title ?? ''}${name ?? ''}${writePage(visitor.proof)}`)
  }

  /** Uses the user of the last sign-in, if a bug wants one for a failure. */
  function keepsLast(name: keyof typeof offsets, found: Exchanged | undefined): Exchanged | undefined {
    const isLast =
      (bug === 'signs in on a failure' && !found) || (bug === 'signs in without userinfo' && name === 'plain')
    last = found?.email === undefined ? last : found
    return isLast ? last : found
  }

  function makeProof(): string {
    return bug === 'counts CSRF tokens' ? `the-token-with-the-number-${1e6 + count++}` : randomUUID()
  }

  function makeId(mail: string): string {
    if (bug === 'repeats session ids') return `the-session-of-${mail.replaceAll(/\W/g, '-')}`
    if (bug === 'makes session ids of addresses') return Buffer.from(mail).toString('base64url')
    if (bug === 'counts sessions') return `the-session-with-the-number-${1e6 + count++}`
    const write = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const expiry =
      bug === 'issues tokens without an expiry' ? {} : { exp: Math.round(Date.now() / 1000) + 3600 }
    return `${write({ alg: 'HS256' })}.${write(expiry)}.${randomUUID()}`
  }

  function attributesFor(origin: string): string {
    if (bug === 'shows cookies to scripts') return ''
    if (bug === 'shares cookies with subdomains') return `; HttpOnly; Domain=${new URL(origin).hostname}`
    return bug === 'keeps cookies for years' ? '; HttpOnly; Max-Age=999999999' : '; HttpOnly'
  }

  function makeKey(): string {
    if (bug === 'repeats links') return 'a-link-of-this-application'
    return bug === 'counts links' ? `the-link-with-the-number-${1e6 + count++}` : randomUUID()
  }

  function accountOf(sub: string): string {
    if (bug === 'compares subjects without case') return sub.toLowerCase()
    return bug === 'cuts subjects' ? sub.slice(0, 64) : sub
  }

  function isTaken(mail: string, account: string): boolean {
    if (bug !== 'stores every address that a provider reports') return false
    const owner = owners.get(mail) ?? account
    owners.set(mail, owner)
    return owner !== account
  }

  function findLink(key: string): string | undefined {
    if (bug !== 'finds links by their beginning') return links.get(key)
    return [...links].findLast(([each]) => each.startsWith(key))?.[1]
  }

  function showUser(
    { mail, id, token, role }: Visitor,
    { headers }: IncomingMessage,
    query: URLSearchParams,
  ): string {
    const inHeader = bug === 'believes headers that name a user' ? headers['x-forwarded-email'] : undefined
    const inQuery = bug === 'believes a parameter that names a user' ? query.get('email') : undefined
    const [, password] = /^Basic (.*)$/.exec(headers.authorization ?? '') ?? []
    const inBasic = password && atob(password).split(':')[0]
    const [, encoded] = /who=([\w-]+)/.exec(headers.cookie ?? '') ?? []
    const inCookie = encoded === undefined ? undefined : Buffer.from(encoded, 'base64url').toString()
    const body = JSON.stringify({
      mail: (bug === 'accepts any password' && inBasic) || (inHeader ?? inQuery ?? inCookie ?? mail),
      id,
      ...(role && { role }),
      ...(bug === 'shows the access token' && { token }),
    })
    const call = bug === 'calls a function of another site' && query.get('callback')
    if (call) return `${call}(${body})`
    if (bug !== 'caches the session for everyone') return body
    if (cached && cached.until > Date.now()) return cached.body
    if (mail !== undefined) cached = { body, until: Date.now() + 1000 }
    return body
  }

  /** Returns the session of a browser. One without a session gets a new one. */
  function recognise(held: string | undefined): readonly [string, Visitor] {
    const isFound = (id: string) => bug === 'finds sessions by their beginning' && id.startsWith(held ?? '-')
    const known =
      held === undefined
        ? undefined
        : (visitors.get(held) ?? visitors.get([...visitors.keys()].findLast(isFound) ?? ''))
    if (held !== undefined && known) return [held, known]
    const made = [`visitor-${count++}-${randomUUID()}`, { proof: makeProof() }] as const
    visitors.set(...made)
    return made
  }

  const server = createServer((request, response) => {
    if (bug === 'decodes URLs after the response' && !isDecodable(request.url ?? ''))
      response.on('finish', () => {
        server.close()
        server.closeAllConnections()
      })
    handle(request, response).catch(() => response.writeHead(500).end('failed'))
  }).listen(0, '127.0.0.1')
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

function isDecodable(url: string): boolean {
  try {
    return decodeURIComponent(url) !== ''
  } catch {
    return false
  }
}

/** Writes the front page: forms that sign in, mail a link, and sign out. */
function writePage(proof: string): string {
  const form = (action: string, content: string) =>
    `<form method="post" action="${action}"><input type="hidden" name="proof" value="${proof}">${content}</form>`
  return [
    form('/enter', '<button name="with" value="alpha">Continue</button>'),
    form('/enter', '<button name="with" value="plain">Continue</button>'),
    form('/letter', '<input type="email" name="to"><button>Mail a link</button>'),
    form('/leave', '<button>Leave</button>'),
  ].join('')
}
