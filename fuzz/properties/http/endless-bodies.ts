import fc from 'fast-check'
import { property, type Property } from '../property.ts'
import { waitFor } from '../support/flows.ts'
import { posts } from '../support/routes.ts'
import { headerOf } from '../support/sessions.ts'

/** Returns a body that never continues after its first bytes. */
function openBody(beginning: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(beginning)),
  })
}

export const endlessBodyProperties: readonly Property[] = [
  property({
    proves: ['DEC-34b'],
    name: 'refuses a body that does not end within a minute',
    story:
      'A client opens a thousand requests, sends one byte of each body, and waits. The server keeps all of them open.',
    advice: 'Stop reading a body at a deadline, and return 400 or 408.',
    needs: ['clock'],
    runs: 20,
    input: fc.record({
      post: fc.constantFrom(...posts),
      form: fc.boolean(),
      beginning: fc.constantFrom('', 'a', 'csrfToken=', '{"csrfToken":'),
    }),
    async run(world, { post, form, beginning }) {
      const browser = world.browser('ada')
      await browser.csrfToken()
      const headers = {
        cookie: headerOf(browser.cookies()),
        'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json',
      }
      const init = { method: 'POST', headers, body: openBody(beginning), duplex: 'half' }
      const sent = world.send(new Request(world.url(post), init as RequestInit), `${beginning}…`)
      const isEnded = await waitFor(world, sent)
      world.check(
        'DEC-34b',
        isEnded,
        `a POST to ${post} whose body never ends has no response after a minute`,
      )
      const { status, failure } = await sent
      const refuses = failure === undefined && status >= 400 && status < 500
      world.check('DEC-34b', refuses, `a POST to ${post} whose body never ends returns ${failure ?? status}`)
      world.reach(form ? 'form' : 'JSON')
    },
    reaches: { form: 2, JSON: 2 },
  }),
]
