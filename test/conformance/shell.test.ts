import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { describeCommand } from '../../fuzz/world/describe.ts'
import { openHistory } from '../../fuzz/world/history.ts'
import { readReply } from '../../fuzz/world/reply.ts'
import { splitName } from '../../fuzz/world/secrets.ts'

const token = 'abcdefghij0123456789klmnop'

it('a story runs as a shell script, with the secrets of the new run', async () => {
  const bodies: string[] = []
  const cookies: unknown[] = []
  let fresh = token
  const app = createServer((request, response) => {
    void text(request).then((body) => bodies.push(body))
    cookies.push(request.headers.cookie)
    response.setHeader('set-cookie', `__Host-csrf=${fresh}-cookie%7C0123456789ab; Path=/; HttpOnly`)
    response.setHeader('location', `/next?a=1&state=${fresh}-state`)
    const answer = JSON.stringify({ csrfToken: `${fresh}-json` })
    request.on('end', () => response.end(answer))
  })
  await once(app.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(app.address() as AddressInfo).port}/auth/csrf`
  const history = openHistory()
  const visit = async (request: Request, body: string) => {
    history.command(describeCommand(request.clone(), body))
    history.learn(await readReply(await fetch(request), url))
  }
  try {
    await visit(new Request(url), '')
    const form = `csrfToken=${token}-json&state=${token}-state`
    const headers = { cookie: `__Host-csrf=${token}-cookie%7C0123456789ab` }
    await visit(new Request(url, { method: 'POST', headers, body: form }), form)
    const [, recorded] = bodies
    bodies.length = 0
    fresh = 'zyxwvutsrq9876543210ponmlk'
    expect(history.commands.join('\n')).not.toContain(token)
    await promisify(execFile)('sh', ['-ec', history.commands.join('\n')])
    expect(bodies).toEqual(['', recorded?.replaceAll(token, fresh)])
    expect(cookies.at(-1)).toBe(`__Host-csrf=${fresh}-cookie%7C0123456789ab`)
  } finally {
    app.close()
  }
})

it('a story asks for a secret that no response contains', async () => {
  const history = openHistory()
  history.command(`curl -si 'http://localhost/callback?code=${token}'`)
  const script = history.commands.join('\n')
  await expect(promisify(execFile)('sh', ['-ec', script])).rejects.toThrow('Set secret_1 to the value')
})

it('a story keeps a cookie whole, and says that a token of a page comes from a response above', async () => {
  const history = openHistory()
  const cookie = `s%3A${token}.abc%2Fdef123`
  const page = new Response(`<input name="proof" value="${token}-proof">`, {
    headers: { 'set-cookie': `sid=${cookie}; Path=/` },
  })
  history.learn(await readReply(page, 'http://localhost/'))
  history.command(
    `curl -si -H 'cookie: sid=${cookie}' --data-raw 'proof=${token}-proof' 'http://localhost/x'`,
  )
  expect(history.commands.join('\n')).not.toMatch(/abc%2F|s%3A/)
  const [learned, ...rest] = history.commands
  expect(learned).toBe('secret_1=$(cookie sid)')
  expect(rest.join('\n')).toContain('Set secret_2 to the value from a response above')
})

it('a story reads what differs in each sign-in: the names of cookies, the fields of forms, and URLs in JSON', async () => {
  const replies = (random: string) => ({
    '/start': new Response(null, {
      status: 302,
      headers: [
        ['location', `https://provider.example/?client_id=x&state=${random}ab`],
        ['set-cookie', `mod_state_${random}ab=v1${random}; Path=/`],
        ['set-cookie', `flow.${random}=short${random}; Path=/`],
        ['set-cookie', `pending=%7B%22${random}ab%22%3A%22http%3A%2F%2Fx%22%7D; Path=/`],
      ],
    }),
    '/page': new Response(`<form>\n<input\n name="proof" value='${random}+a&amp;b='></form>`),
    '/json': Response.json({ next: { url: `https://provider.example/?client_id=x&nonce=${random}` } }),
  })
  const seen: string[] = []
  let random = 'Qm3xT81z'
  const app = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method === 'POST') seen.push(`${request.headers.cookie} ${body}`)
      const reply = new Map(Object.entries(replies(random))).get(request.url ?? '')
      for (const [name, value] of reply?.headers ?? []) response.appendHeader(name, value)
      response.statusCode = reply?.status ?? 200
      void reply?.text().then((content) => response.end(content))
      if (!reply) response.end()
    })
  })
  await once(app.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://127.0.0.1:${(app.address() as AddressInfo).port}`
  const history = openHistory()
  const visit = async (path: string, form?: URLSearchParams, headers: HeadersInit = {}) => {
    const init = { redirect: 'manual', headers } as const
    const request = new Request(
      `${origin}${path}`,
      form ? { ...init, method: 'POST', body: String(form) } : init,
    )
    history.command(describeCommand(request.clone(), form ? String(form) : ''))
    history.learn(await readReply(await fetch(request), request.url))
  }
  try {
    for (const path of ['/start', '/page', '/json']) await visit(path)
    const pending = `pending=%7B%22${random}ab%22%3A%22http%3A%2F%2Fx%22%7D`
    const cookie = `mod_state_${random}ab=v1${random}; flow.${random}=short${random}; ${pending}`
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    await visit('/end', new URLSearchParams({ proof: `${random}+a&b=`, plain: 'x y' }), { ...type, cookie })
    const [recorded = ''] = seen.splice(0)
    expect(history.commands.join('\n')).not.toContain(random)
    expect(history.commands.join('\n')).not.toContain(':?Set')
    const before = random
    random = 'Zk9pW42c'
    await promisify(execFile)('sh', ['-ec', history.commands.join('\n')])
    // Versions of curl differ in how they encode a space.
    expect(seen.map((each) => each.replace('%20', '+'))).toEqual([recorded.replaceAll(before, random)])
  } finally {
    app.close()
  }
})

it('a story invents the values that the oracle gave to a provider, and inserts them without a break in its quotes', async () => {
  const history = openHistory({ world: 'http://127.0.0.1:4014' })
  const members = { refresh_token: `${token}-refresh`, name: "it's $(id)" }
  history.control({ provider: 'alpha', do: 'addToTokens', with: [members] })
  const script = history.commands.map((line) =>
    line.startsWith('control() {') ? 'control() { echo "$1"; }' : line,
  )
  const { stdout } = await promisify(execFile)('sh', ['-ec', script.join('\n')])
  const [sent = ''] = stdout.trim().split('\n').slice(-1)
  const {
    with: [found],
  } = JSON.parse(sent) as { with: [typeof members] }
  expect(found.name).toBe(members.name)
  expect(found.refresh_token).toMatch(/^[0-9a-f]{48}$/)
})

it('a story reads a cookie as a whole, although it contains a state from before', async () => {
  const history = openHistory()
  const start = (cookie: string) =>
    new Response(null, {
      headers: { location: `https://provider.example/?client_id=x&state=${token}`, 'set-cookie': cookie },
    })
  const pending = `%7B%22state%22%3A%22${token}%22%2C%22n%22%3A%22zyxw98765432%22%7D`
  for (const value of ['first-1', pending])
    history.learn(await readReply(start(`pending=${value}; Path=/`), 'http://localhost/'))
  history.command(`curl -si -H 'cookie: pending=${pending}' 'http://localhost/back?state=${token}'`)
  expect(history.commands.join('\n')).not.toContain(':?Set')
  expect(history.commands.at(-1)).toMatch(/cookie: pending='"\$secret_\d+"'' 'http/)
})

it('a hostile response adds no command to a story', async () => {
  const history = openHistory()
  const names = { 'a; touch /tmp/x': `${token}1`, 'b$(id)': `${token}2`, good: `${token}3` }
  history.learn(await readReply(Response.json(names), 'http://localhost/'))
  expect(history.commands).toEqual(['secret_1=$(member good)'])
})

it.each([
  ['mod_auth_openidc_state_Qm3xT81z', '', ['mod_auth_openidc_state_', 'Qm3xT81z']],
  ['__Host-flow.Qm3x_T81z-4', '', ['__Host-flow.', 'Qm3x_T81z-4']],
  ['AspNetCore.OpenIdConnect.Nonce.CfDJ8Abc', '', ['AspNetCore.OpenIdConnect.Nonce.', 'CfDJ8Abc']],
  ['state_abc_9f8e7d6c5b', 'abc_9f8e7d6c5b', ['state_', 'abc_9f8e7d6c5b']],
  ['better-auth.session_token', '', undefined],
  ['connect.sid', '', undefined],
  ['__Secure-authjs.session-token.0', '', undefined],
])('the part of the cookie name %s that differs in each sign-in', (key, state, expected) => {
  const split = splitName(key, state)
  expect(split && [split.before, split.random]).toEqual(expected)
})

it('splits any name of a cookie in linear time', () => {
  const started = performance.now()
  for (const part of ['-', 'Abc-', 'aB', '_.', '9'])
    for (const end of ['', '!', '1']) splitName(part.repeat(20_000) + end)
  expect(performance.now() - started).toBeLessThan(2000)
})
