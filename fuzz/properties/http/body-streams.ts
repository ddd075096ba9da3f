import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { property, type Property } from '../property.ts'
import { tooLarge } from '../support/limits.ts'
import { posts } from '../support/routes.ts'

export const bodyStreamProperties: readonly Property[] = [
  property({
    proves: ['LM-09'],
    name: 'refuses a body that arrives in thousands of chunks, however small it is',
    story: 'A client sends one byte at a time, and each costs the server as much as a whole packet.',
    advice: 'Count the chunks while you read, and return 400 or 413 above a limit.',
    needs: ['setup'],
    runs: 20,
    input: fc.record({
      post: fc.constantFrom(...posts),
      type: fc.constantFrom('application/json', 'application/x-www-form-urlencoded'),
      count: fc.integer({ min: 2000, max: 8000 }),
      size: fc.integer({ min: 1, max: 8 }),
    }),
    async run(world, { post, type, count, size }) {
      const browser = world.browser('ada')
      const csrfToken = await browser.csrfToken()
      const cookie = Object.entries(browser.cookies()).map((pair) => pair.join('='))
      const send = (path: string, length: number, piece: number) => {
        const isForm = type.endsWith('form-urlencoded')
        const pad = 'x'.repeat(length)
        const text = isForm ? `csrfToken=${csrfToken}&pad=${pad}` : JSON.stringify({ csrfToken, pad })
        const bytes = new TextEncoder().encode(text)
        let sent = 0
        const body = new ReadableStream<Uint8Array>({
          pull(controller) {
            if (sent >= bytes.length) return controller.close()
            controller.enqueue(bytes.slice(sent, (sent += piece)))
          },
        })
        const headers = { cookie: cookie.join('; '), 'content-type': type }
        const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
        return world.handle(new Request(world.url(path), init))
      }
      const { status } = await send(post, count * size, size)
      world.check('LM-09', tooLarge.includes(status), `a body in ${count} chunks returns ${status}`)
      const usual = await send('signout', 1000, 100)
      world.check('LM-09', usual.status < 400, `a body in a dozen chunks returns ${usual.status}`)
    },
  }),

  property({
    proves: ['LM-01'],
    name: 'stops reading a body that does not end',
    story: 'A client sends data forever, and the server keeps reading.',
    advice: 'Stop reading at the limit, whatever Content-Length says.',
    needs: ['setup'],
    setups: { jwt: { strategy: 'jwt' } },
    runs: 20,
    input: fc.record({
      post: fc.constantFrom(...posts),
      type: fc.constantFrom('application/json', 'application/x-www-form-urlencoded'),
    }),
    async run(world, { post, type }) {
      let sent = 0
      let isCancelled = false
      const chunk = new TextEncoder().encode('x'.repeat(65_536))
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          sent += chunk.length
          // Code that still reads after this would never stop.
          if (sent > 33_554_432) controller.close()
          else controller.enqueue(chunk)
        },
        cancel: () => void (isCancelled = true),
      })
      const headers = { 'content-type': type, 'content-length': '10' }
      const request = new Request(world.url(post), {
        method: 'POST',
        headers,
        body,
        duplex: 'half',
      } as RequestInit)
      const { status } = await world.handle(request)
      world.check(
        'LM-01',
        tooLarge.includes(status) && sent < 8_388_608,
        `the application read ${sent} bytes of an endless body, and returned ${status}`,
      )
      world.check(
        'LM-01',
        isCancelled || !body.locked,
        'the rest of an endless body is never cancelled, so its sender waits forever',
      )
    },
  }),

  property({
    proves: ['LM-01'],
    name: 'refuses a body whose announced length is too large before reading it',
    story: 'Many clients announce large bodies and send nothing, and each holds a request open.',
    advice: 'Check Content-Length first.',
    needs: ['setup'],
    setups: { jwt: { strategy: 'jwt' } },
    runs: 20,
    input: fc.record({
      post: fc.constantFrom(...posts),
      type: fc.constantFrom('application/json', 'application/x-www-form-urlencoded'),
      length: fc.constantFrom(10_000_000, 2_147_483_648, 1e15),
      sendsFirstBytes: fc.boolean(),
    }),
    async run(world, { post, type, length, sendsFirstBytes }) {
      let client: ReadableStreamDefaultController<Uint8Array> | undefined
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          client = controller
          if (sendsFirstBytes) controller.enqueue(new TextEncoder().encode('csrfToken=x'))
        },
      })
      const headers = { 'content-type': type, 'content-length': String(length) }
      const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
      const response = world.handle(new Request(world.url(post), init)).then(({ status }) => status)
      // The client disconnects in the end, so that the test does not wait forever.
      const gone = waitLong().then(() => undefined)
      const status = await Promise.race([response, gone])
      if (status === undefined) client?.error(new Error('the client is gone'))
      await response.catch(() => undefined)
      world.check('LM-01', status !== undefined, `the application waits for a body of ${length} bytes`)
      world.check('LM-01', tooLarge.includes(Number(status)), `${length} bytes return ${status}`)
    },
  }),
]

const { performance } = globalThis

/** Long enough for any response that does not wait, however slow the machine. */
async function waitLong(): Promise<void> {
  const started = performance.now()
  for (let turn = 0; turn < 50 || performance.now() - started < 500; turn++) await nextTurn()
}
