import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { driveUrl } from '../../fuzz/targets/url.ts'
import { openBrowser } from '../../fuzz/world/open-browser.ts'
import { Unreached } from '../../fuzz/world/breach.ts'
import { describeCommand } from '../../fuzz/world/describe.ts'
import { readForms } from '../../fuzz/world/forms.ts'
import { openHosted, type Hosted } from '../../fuzz/world/hosted.ts'
import { places } from '../../fuzz/world/places.ts'
import { openWorld } from '../../fuzz/world/world.ts'

/** The first of the oracle's four ports. */
const port = 24_710
const closing: (() => void)[] = []

afterEach(() => {
  vi.restoreAllMocks()
  for (const close of closing.splice(0)) close()
})

/** Serves an application. @returns the URL of its routes */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => void (server.closeAllConnections(), server.close()))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/auth`
}

/** An application with one provider of the oracle, which responds to the other routes as given. */
function serveProvider(other: RequestListener): Promise<string> {
  return serve((request, response) => {
    if (request.url?.endsWith('/providers'))
      response.end(JSON.stringify({ alpha: { id: 'alpha', type: 'oauth' } }))
    else if (request.url?.endsWith('/csrf')) response.end(JSON.stringify({ csrfToken: 'x' }))
    else if (request.url?.endsWith('/signin/alpha'))
      response.writeHead(302, { location: `http://127.0.0.1:${port}/authorize` }).end()
    else other(request, response)
  })
}

describe('an application with several e-mail providers', () => {
  it('gets requests for links at the first one, which mails them', async () => {
    const url = await serve((request, response) => {
      const providers = { mail: { id: 'mail', type: 'email' }, code: { id: 'code', type: 'email' } }
      response.end(JSON.stringify(request.url?.endsWith('/providers') ? providers : {}))
    })
    const driver = await driveUrl({ url, port })
    const stage = await driver.open({}, 1)
    expect(stage.idOf('mail')).toBe('mail')
    await stage.close()
    await driver.close()
  })
})

describe('requests to an application', () => {
  it('CLI-017 have the origin of their page, as those of browsers', async () => {
    const received: (string | undefined)[] = []
    const url = await serveProvider(({ method, headers }, response) => {
      received.push(`${method} ${headers.origin}`)
      response.end()
    })
    const driver = await driveUrl({ url, port })
    closing.push(() => void driver.close())
    const world = await openWorld(driver, {}, 0)
    const { origin } = new URL(url)
    const ada = world.browser()
    await ada.send('/auth/session')
    await ada.send('/auth/session', { form: {} })
    await ada.send('/auth/session', { form: {}, crossSite: true })
    await ada.send('/auth/session', { form: {}, headers: { origin: undefined } })
    await world.send(new Request(`${url}/session`, { method: 'PUT' }))
    expect(received).toEqual([
      'GET undefined',
      `POST ${origin}`,
      'POST https://another.example',
      'POST undefined',
      `PUT ${origin}`,
    ])
  })

  it('CLI-017 have it when the oracle looks for its providers', async () => {
    const origins: (string | undefined)[] = []
    const url = await serve(({ url: path, headers }, response) => {
      if (path?.endsWith('/providers'))
        response.end(JSON.stringify({ alpha: { id: 'alpha', type: 'oauth' } }))
      else if (path?.endsWith('/csrf')) response.end(JSON.stringify({ csrfToken: 'x' }))
      else {
        origins.push(headers.origin)
        response.writeHead(302, { location: `http://127.0.0.1:${port}/authorize` }).end()
      }
    })
    const driver = await driveUrl({ url, port })
    await driver.close()
    expect(origins).toEqual([new URL(url).origin])
  })

  it('CLI-017 are sent again on a new connection, once, if theirs ends before the response', async () => {
    const counts = new Map<string, number>()
    const url = await serveProvider(({ url: path = '', socket, method }, response) => {
      const count = (counts.get(path) ?? 0) + 1
      counts.set(path, count)
      if (path.endsWith('/once') && count === 2) response.end(method)
      else if (path.endsWith('/half')) response.writeHead(200, { 'content-length': 9 }).write('half')
      if (!response.writableEnded) setTimeout(() => socket.destroy(), 10)
    })
    const driver = await driveUrl({ url, port })
    closing.push(() => void driver.close())
    const world = await openWorld(driver, {}, 0)
    const outcomes = await Promise.all(
      ['once', 'always', 'half'].map(async (name) => {
        const { status, text } = await world.browser().send(`/auth/${name}`, { form: { a: 'b' } })
        return [name, status, text, counts.get(`/auth/${name}`)]
      }),
    )
    expect(outcomes).toEqual([
      ['once', 200, 'POST', 2],
      ['always', 500, '', 2],
      ['half', 500, '', 1],
    ])
  })
})

describe('a hostile application', () => {
  it.each([
    ['never ends a response', (): void => {}],
    ['sends a response without end', (send: () => boolean): void => void setInterval(send, 1).unref()],
  ])('CLI-011 cannot keep the oracle waiting: it %s', async (_, keep) => {
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(300))
    const url = await serve((_request, response) => {
      response.write('{')
      keep(() => response.write(' '))
    })
    await expect(driveUrl({ url, port })).rejects.toThrow(/does not respond.*timeout/)
    expect(limit).toHaveBeenCalledWith(20_000)
  })

  it('CLI-011 cannot fill the memory of the oracle', async () => {
    let sent = 0
    const url = await serve((_request, response) => {
      const send = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, ' '))) sent += 65_536
      }
      response.on('drain', send)
      send()
    })
    await expect(driveUrl({ url, port })).rejects.toThrow('larger than 1 MiB')
    expect(sent).toBeLessThan(2 ** 25)
  })

  it('CLI-011 cannot make the oracle try any number of providers', async () => {
    let requests = 0
    const listed = Array.from({ length: 3000 }, (_, at) => [`p${at}`, { id: `p${at}`, type: 'oauth' }])
    const url = await serve((_request, response) => {
      requests += 1
      response.end(JSON.stringify(Object.fromEntries(listed)))
    })
    await expect(driveUrl({ url, port })).rejects.toThrow('it has 3000 providers')
    expect(requests).toBe(1)
  })

  it('CLI-012 cannot send the requests of the oracle to another host', async () => {
    let received = 0
    const elsewhere = await serve((_request, response) => void ((received += 1), response.end()))
    const driver = await driveUrl({ url: await serveProvider((_, response) => void response.end()), port })
    closing.push(() => void driver.close())
    const world = await openWorld(driver, {}, 0)
    await expect(world.browser().send(elsewhere)).rejects.toThrow(Unreached)
    await expect(world.send(new Request(elsewhere))).rejects.toThrow(Unreached)
    expect(received).toBe(0)
    expect((await world.browser().send('/auth/session')).status).toBe(200)
  })

  it('CLI-012 cannot name another host in a link or a form', async () => {
    const sent: string[] = []
    const origin = 'http://localhost:3000'
    const to = `${origin}//third.example/api/transfer?x=1`
    const text = `<form method="post" action="${to}"><input name="token" value="t"></form>`
    const ada = openBrowser('ada', {
      origin,
      basePath: '/auth',
      deliver: async (_browser: unknown, { url }: Request) => {
        sent.push(url)
        return { status: 200, headers: new Headers(), text }
      },
    } as unknown as Parameters<typeof openBrowser>[1])
    await ada.openLink({ to: 'ada', link: new URL(to) })
    await ada.followLink({ to: 'ada', link: new URL(`${origin}/auth/callback/mail?token=t`) })
    expect(sent).toEqual([to, `${origin}/auth/callback/mail?token=t`, to])
  })

  it.each(['<form>', '<input name=', '<form><input ', '<form name="', '<form method = '])(
    'CLI-013 cannot keep the oracle parsing a page of %j',
    (piece) => {
      const started = process.cpuUsage()
      readForms(piece.repeat(1_000_000 / piece.length))
      expect(process.cpuUsage(started).user).toBeLessThan(5_000_000)
    },
  )

  it('cannot make a copied command send other requests', () => {
    const write = (url: string) => describeCommand(new Request(url), '')
    expect(write('http://localhost/a?b=[1-9]')).toBe("curl -si --globoff 'http://localhost/a?b=[1-9]'")
    expect(write('http://localhost/a?b={1,2}')).toContain(' --globoff ')
    expect(write("http://localhost/a'b")).toBe("curl -si 'http://localhost/a'\\''b'")
  })

  it('parses forms as a browser submits them', () => {
    const page = `<FORM action='/a?x&amp;y' METHOD=POST><input name="a" value="&lt;1&quot;"><button name=b value=2>
      <input value="no name"></FORM><input name="outside"><form><input name="__proto__" value="3">`
    const [first, second, ...more] = readForms(page)
    expect(first).toEqual({ method: 'post', action: '/a?x&y', fields: { a: '<1"', b: '2' } })
    expect([second?.method, second?.action, Object.entries(second?.fields ?? {})]).toEqual([
      'get',
      '',
      [['__proto__', '3']],
    ])
    expect(more).toEqual([])
  })
})

describe('the servers of the oracle', () => {
  let hosted: Hosted
  beforeEach(async () => {
    hosted = await openHosted(port)
  })
  afterEach(() => hosted.close())

  const stages = ['', 'EHLO x\r\n', 'MAIL FROM:<a@b.c>\r\n', 'RCPT TO:<a@b.c>\r\n', 'DATA\r\n', 'half a mail']

  it('CLI-013 survive connections that the application resets, at any stage', async () => {
    const crash = vi.fn()
    process.on('uncaughtException', crash)
    closing.push(() => process.off('uncaughtException', crash))
    for (let last = 0; last < stages.length; last++) {
      const socket = connect(port + places.smtp, '127.0.0.1')
      await once(socket, 'data')
      for (const line of stages.slice(0, last + 1)) {
        socket.write(line)
        await wait(20)
      }
      socket.resetAndDestroy()
      await wait(20)
    }
    for (const text of [
      '',
      'POST /token HTTP/1.1\r\n',
      'POST /token HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\na',
    ]) {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      socket.write(text)
      await wait(20)
      socket.resetAndDestroy()
    }
    expect(crash).not.toHaveBeenCalled()
    expect((await fetch(`http://127.0.0.1:${port}/.well-known/openid-configuration`)).status).toBe(200)
  })

  it('CLI-013 refuse a mail and a request that are too large', async () => {
    const mailer = createTransport(`smtp://127.0.0.1:${port + places.smtp}`)
    const send = (text: string) => mailer.sendMail({ from: 'a@b.example', to: 'ada@b.example', text })
    const link = 'http://localhost:3000/auth/callback/mail?token=t'
    await expect(send(`${link}\n${'x\n'.repeat(800_000)}`)).rejects.toThrow()
    await send(`Sign in (${link}\nhere`)
    expect(hosted.mailbox.mails.map((mail) => mail.link.href)).toEqual([link])
    const body = 'x'.repeat(1_100_000)
    const { status } = await fetch(`http://127.0.0.1:${port}/token`, { method: 'POST', body })
    expect(status).toBe(413)
    expect(hosted.sent.some((request) => request.body.length > 1_048_576)).toBe(false)
  })

  it('CLI-013 find the link of a mail in linear time', async () => {
    const mailer = createTransport(`smtp://127.0.0.1:${port + places.smtp}`)
    const before = hosted.mailbox.mails.length
    const started = process.cpuUsage()
    for (const text of ['http://'.repeat(90_000), `/callback/${'http://'.repeat(90_000)}`])
      await mailer.sendMail({ from: 'a@b.example', to: 'ada@b.example', text })
    expect(process.cpuUsage(started).user).toBeLessThan(5_000_000)
    expect(hosted.mailbox.mails.length).toBe(before)
  })

  it('CLI-010 print nothing about a request that they cannot read', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    const socket = connect(port, '127.0.0.1')
    socket.write(Buffer.from('GET / HTTP/1.1\r\nHost: a b\x9b2J\r\nConnection: close\r\n\r\n', 'latin1'))
    await once(socket, 'data')
    expect(printed).not.toHaveBeenCalled()
  })
})
