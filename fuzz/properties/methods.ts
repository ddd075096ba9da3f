import fc from 'fast-check'
import { property, type Property } from './property.ts'
import { holdRefused, takeStock } from './support/stock.ts'

export const methodsProperties: readonly Property[] = [
  property({
    proves: ['HH-04'],
    name: 'methods that a route does not have are refused by name, and HEAD changes nothing',
    story: 'A scanner or a preview that sends HEAD uses a link up, or ends a session.',
    advice: 'Answer 405 with Allow, and let HEAD do nothing but what GET of a page does.',
    runs: 50,
    input: fc.record({
      method: fc.constantFrom('PUT', 'DELETE', 'PATCH', 'HEAD'),
      path: fc.constantFrom(
        'session',
        'csrf',
        'signin',
        'signout',
        'callback/alpha',
        'the link of a mail',
        'an answer',
      ),
    }),
    async run(world, { method, path }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const paths: Readonly<Record<string, () => Promise<string>>> = {
        async 'the link of a mail'() {
          const { link } = await browser.askLink(ada.address.mail)
          return `${link.pathname}${link.search}`
        },
        async 'an answer'() {
          const arrival = await browser.visit('alpha', ada)
          return `${world.basePath}/callback/${world.idOf('alpha')}?${arrival.parameters}`
        },
      }
      const target = (await paths[path]?.()) ?? `${world.basePath}/${path}`
      const before = await takeStock(world, browser)
      const { status, headers } = await browser.send(target, { method })
      if (method !== 'HEAD')
        world.hold('HH-04', status === 405, `${method} ${path} is answered with ${status}`)
      if (status === 405)
        world.hold(
          'HH-04',
          /\bGET\b/.test(headers.get('allow') ?? ''),
          `${method} ${path} is answered without Allow`,
        )
      await holdRefused(world, 'HH-04', browser, before, `${method} ${path}`)
      if (target.includes('token=')) {
        await browser.send(target, { says: 'follows the link of the mail' })
        world.hold('HH-04', (await browser.whoAmI()) === 'ada', `${method} used the link up`)
      }
      world.reach(method)
    },
  }),

  property({
    proves: ['HH-04'],
    name: 'what is only read is not posted to, and what is only posted to is not read',
    story: 'A form or a link reaches what was written for the other, past the checks of its own method.',
    advice: 'Find a route by its method too, and name the methods that it has in Allow.',
    setups: { database: {}, form: { strategy: 'jwt', providers: ['alpha', 'form'] } },
    runs: 30,
    input: fc.record({
      wrong: fc.constantFrom(
        ['POST', 'csrf'] as const,
        ['POST', 'providers'] as const,
        ['POST', 'error'] as const,
        ['POST', 'verify-request'] as const,
        ['GET', 'signin', 'alpha'] as const,
        ['GET', 'callback', 'form'] as const,
      ),
      hasToken: fc.boolean(),
    }),
    async run(world, { wrong: [method, action, provider], hasToken }) {
      const id = provider && world.idOf(provider)
      if (provider && id === undefined) return
      const browser = world.browser('ada')
      const before = await takeStock(world, browser)
      const path = id === undefined ? action : `${action}/${id}`
      const fields = { ...(hasToken && { csrfToken: await browser.csrfToken() }), username: 'ada' }
      const form = { ...fields, password: world.people.ada.password }
      const sending = method === 'POST' ? { form } : {}
      const query = method === 'GET' ? `?${new URLSearchParams(form)}` : ''
      const { status, headers } = await browser.send(`${world.basePath}/${path}${query}`, {
        method,
        ...sending,
      })
      const allowed = (headers.get('allow') ?? '').split(/\s*,\s*/)
      world.hold('HH-04', status === 405, `${method} ${path} is answered with ${status}`)
      const says = `${method} ${path} is refused with Allow: ${allowed.join(', ')}`
      world.hold('HH-04', allowed.some((each) => /^[A-Z]+$/.test(each)) && !allowed.includes(method), says)
      await holdRefused(world, 'HH-04', browser, before, `${method} ${path}`)
      world.reach(`${method} ${path}`)
    },
  }),
]
