import { request as rawRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { runWorld, worldHelp } from '../../fuzz/cli/world/run-world.ts'

const port = 24_760
const page = `http://127.0.0.1:${port + 4}/`
const client = 'client-at-alpha'
const secret = 'secret-at-alpha-0123456789'
const callback = 'http://app.example/callback'

const ending = new AbortController()
const [out, err]: [string[], string[]] = [[], []]
let running: Promise<number>

function start(args: readonly string[], signal = ending.signal): Promise<number> {
  return runWorld(args, {
    print: (line) => void out.push(line),
    complain: (line) => void err.push(line),
    signal,
  })
}

beforeAll(async () => {
  running = start(['--port', String(port)])
  await vi.waitFor(() => expect(out.join('')).toContain(`Requests and mails: ${page}`), { timeout: 15_000 })
})
afterAll(() => ending.abort())

const readPage = async () => (await fetch(page)).text()

/** Returns the text of the page's rows. */
const readRows = async () =>
  [...(await readPage()).matchAll(/<tr>.*?<\/tr>/g)].map(([row]) =>
    row
      .replaceAll(/<time.*?<\/time>/g, '12:00')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/ +/g, ' ')
      .trim(),
  )

async function authorize(changes: Readonly<Record<string, string>> = {}): Promise<Response> {
  const query = {
    client_id: client,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid',
    ...changes,
  }
  return fetch(`http://127.0.0.1:${port}/authorize?${new URLSearchParams(query)}`, { redirect: 'manual' })
}

async function exchange(code: string, password: string): Promise<Response> {
  const headers = { authorization: `Basic ${btoa(`${client}:${password}`)}` }
  const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: callback })
  return fetch(`http://127.0.0.1:${port}/token`, { method: 'POST', headers, body })
}

const codeOf = (response: Response) =>
  new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? ''

it('lists requests in order, with shortened secrets and the reason of a refusal', async () => {
  const code = codeOf(await authorize({ state: 'a-long-and-secret-state' }))
  expect((await exchange(code, 'wrong-secret')).status).toBe(401)
  expect((await exchange(code, secret)).status).toBe(200)
  expect((await authorize({ client_id: '<b>somebody</b>' })).status).toBe(400)
  const short = code.slice(0, 6)
  const rows = await readRows()
  expect(rows.slice(1)).toEqual([
    `12:00 alpha GET /authorize client_id=${client} redirect_uri=${callback} response_type=code scope=openid state=a-long… 302 redirects to ${callback} with code=${short}…, state=a-long…, iss=http://127.0.0.1:${port}`,
    `12:00 alpha POST /token authorization=Basic ${client}:wrong-… grant_type=authorization_code code=${short}… redirect_uri=${callback} 401 invalid_client: the secret of ${client} is wrong`,
    `12:00 alpha POST /token authorization=Basic ${client}:secret… grant_type=authorization_code code=${short}… redirect_uri=${callback} 200`,
    `12:00 alpha GET /authorize client_id=&lt;b>somebody&lt;/b> redirect_uri=${callback} response_type=code scope=openid 400 expected the client ${client}, got &quot;&lt;b>somebody&lt;/b>&quot;`,
  ])
  const whole = await readPage()
  for (const hidden of [code, secret, 'wrong-secret', 'a-long-and-secret-state', '<script', '<b>'])
    expect(whole).not.toContain(hidden)
  expect(err).toEqual([
    `alpha refused the client: the secret of ${client} is wrong\n`,
    `alpha refused the client: expected the client ${client}, got "<b>somebody</b>"\n`,
  ])
})

it('lists a malformed request, too', async () => {
  expect((await authorize({ redirect_uri: 'callback' })).status).toBe(400)
  const headers = { authorization: 'Basic *' }
  expect((await fetch(`http://127.0.0.1:${port}/token`, { method: 'POST', headers })).status).toBe(500)
  const rows = await readRows()
  expect(rows.at(-2)).toMatch(/redirect_uri=callback .* 400 invalid request$/)
  expect(rows.at(-1)).toMatch(/authorization=Basic … 500 InvalidCharacterError: /)
})

it('lists the mails with all their links', async () => {
  const transport = createTransport({ host: '127.0.0.1', port: port + 3, ignoreTLS: true })
  const link = 'http://app.example/enter?token=abc&next=%2F'
  await transport.sendMail({
    from: 'app@app.example',
    to: 'ada@mail.example',
    subject: 'Sign in <now>',
    html: `<a href="${link.replace('&', '&amp;')}">here</a>, <a href="javascript:alert(1)">there</a>, <a href="https://app.example/help">help</a>`,
  })
  transport.close()
  const rows = await readRows()
  expect(rows.at(-1)).toBe(
    `12:00 ada@mail.example Sign in &lt;now> ${link.replace('&', '&amp;')} https://app.example/help`,
  )
  const whole = await readPage()
  expect(whole).toContain(`<a href="${link.replace('&', '&amp;')}"`)
  expect(whole).not.toContain('javascript:')
})

it('signs in the person that the page selects', async () => {
  const select = (person: string, origin: string) =>
    fetch(page, {
      method: 'POST',
      body: new URLSearchParams({ person }),
      headers: { origin },
      redirect: 'manual',
    })
  expect((await select('bob', 'http://evil.example')).status).toBe(403)
  expect((await select('mallory', page.slice(0, -1))).status).toBe(400)
  expect(await readPage()).toContain('The providers sign in ada.')
  expect((await select('eve', page.slice(0, -1))).status).toBe(303)
  expect(await readPage()).toContain('The providers sign in eve.')
  const tokens = (await (await exchange(codeOf(await authorize()), secret)).json()) as {
    access_token: string
  }
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  const userinfo = await fetch(`http://127.0.0.1:${port}/userinfo`, { headers })
  expect(await userinfo.json()).toMatchObject({ sub: 'eve-at-alpha' })
  const rows = await readRows()
  expect(rows.join('\n')).toContain(
    `GET /userinfo authorization=Bearer ${tokens.access_token.slice(0, 6)}… 200`,
  )
})

it('shows its page only under its own name, and lets no site frame or script it', async () => {
  const headers = { host: 'evil.example' }
  const [status, body] = await new Promise<[number | undefined, string]>((resolve) => {
    rawRequest(
      page,
      { headers },
      (response) => void text(response).then((content) => resolve([response.statusCode, content])),
    ).end()
  })
  expect([status, body]).toEqual([421, 'unknown host'])
  const policy = (await fetch(page)).headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
})

it('prints its help, and rejects unknown arguments and ports in use', async () => {
  expect(await start(['--help'])).toBe(0)
  expect(out.at(-1)).toBe(worldHelp)
  await expect(start(['--port', 'x'])).rejects.toThrow('Expected --port to be a whole number, got "x"')
  await expect(start(['ours'])).rejects.toThrow("Unexpected argument 'ours'")
  await expect(start(['--port', String(port)])).rejects.toThrow(
    `One of the ports ${port} to ${port + 3} is in use`,
  )
  await expect(start(['--port', String(port + 4)])).rejects.toThrow('is in use')
})

it('is controlled by scripts, and not by pages of other sites', async () => {
  const control = (change: object, headers: HeadersInit = {}) =>
    fetch(`${page}control`, { method: 'POST', body: JSON.stringify(change), headers })
  const wrong = { provider: 'alpha', do: 'misbehave', with: ['state-wrong'] }
  const stateOf = async () =>
    new URL((await authorize({ state: 'mine' })).headers.get('location') ?? '').searchParams.get('state')
  expect((await control(wrong, { origin: 'http://evil.example' })).status).toBe(403)
  expect(await stateOf()).toBe('mine')
  expect((await control(wrong)).status).toBe(204)
  expect(await stateOf()).not.toBe('mine')
  expect((await control({ do: 'reset' })).status).toBe(204)
  expect(await stateOf()).toBe('mine')
  for (const change of [{}, { ...wrong, provider: 'toString' }, { ...wrong, do: 'constructor' }])
    expect((await control(change)).status).toBe(400)
})

it('stops, and closes its servers', async () => {
  ending.abort()
  expect(await running).toBe(0)
  await expect(fetch(page)).rejects.toThrow('fetch failed')
  await expect(fetch(`http://127.0.0.1:${port}/jwks`)).rejects.toThrow('fetch failed')
})
