import fc from 'fast-check'
import { property, type Property } from '../property.ts'
import { checkRefused, takeSnapshot } from '../support/snapshot.ts'

export const methodsProperties: readonly Property[] = [
  property({
    proves: ['HH-04'],
    name: 'refuses unsupported methods with Allow, and changes nothing on HEAD',
    story: 'A scanner or preview sends HEAD, and spends a link or ends a session.',
    advice: 'Return 405 with Allow, and let HEAD do no more than a GET of a page does.',
    runs: 50,
    input: fc.record({
      method: fc.constantFrom('PUT', 'DELETE', 'PATCH', 'HEAD'),
      path: fc.constantFrom(
        'session',
        'csrf',
        'signin',
        'signout',
        'callback/alpha',
        'a mailed link',
        'an authorization response',
      ),
    }),
    async run(world, { method, path }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const paths: Readonly<Record<string, () => Promise<string>>> = {
        async 'a mailed link'() {
          const { link } = await browser.requestLink(ada.address.mail)
          return `${link.pathname}${link.search}`
        },
        async 'an authorization response'() {
          const arrival = await browser.visit('alpha', ada)
          return `${world.basePath}/callback/${world.idOf('alpha')}?${arrival.parameters}`
        },
      }
      const target = (await paths[path]?.()) ?? `${world.basePath}/${path}`
      const before = await takeSnapshot(world, browser)
      const { status, headers } = await browser.send(target, { method })
      const isOwn = world.capabilities.has('every-method')
      if (isOwn && method !== 'HEAD')
        world.check('HH-04', status === 405, `${method} ${path} returns ${status}`)
      if (isOwn && status === 405)
        world.check(
          'HH-04',
          /\bGET\b/.test(headers.get('allow') ?? ''),
          `${method} ${path} has no GET in its Allow header`,
        )
      await checkRefused(world, 'HH-04', browser, before, `${method} ${path}`)
      if (target.includes('token=')) {
        await browser.send(target, { says: 'follows the link in the mail' })
        world.check('HH-04', (await browser.whoAmI()) === 'ada', `${method} spent the link`)
      }
      world.reach(method)
    },
  }),

  property({
    proves: ['HH-04'],
    name: 'accepts only GET on read routes and only POST on form routes',
    story: 'A form or link reaches a route that was written for the other method, and bypasses its checks.',
    advice: 'Match routes by method too, and list the supported methods in Allow.',
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
      const before = await takeSnapshot(world, browser)
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
      world.check('HH-04', status === 405, `${method} ${world.basePath}/${path} returns ${status}`)
      const says = `${method} ${world.basePath}/${path} is refused with Allow: ${allowed.join(', ')}`
      world.check('HH-04', allowed.some((each) => /^[A-Z]+$/.test(each)) && !allowed.includes(method), says)
      await checkRefused(world, 'HH-04', browser, before, `${method} ${world.basePath}/${path}`)
      world.reach(`${method} ${path}`)
    },
  }),
]
