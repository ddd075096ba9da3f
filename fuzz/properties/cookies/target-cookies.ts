import fc from 'fast-check'
import { property, type Property } from '../property.ts'
import { plantTarget } from '../support/redirecting-requests.ts'

const passwords = { strategy: 'jwt', providers: ['alpha', 'form'] } as const

export const targetCookieProperties: readonly Property[] = [
  property({
    proves: ['CK-08'],
    name: 'sets the callback-url cookie once when it replaces an invalid target',
    story: 'One response clears a cookie and sets it, and browsers disagree about the result.',
    advice: 'Collect a response’s cookies by name, and write only the last value of each.',
    setups: { database: {}, passwords },
    runs: 40,
    input: fc.record({
      bad: fc.constantFrom(
        'x',
        'javascript:alert(1)',
        'http://',
        '//',
        'https://u:p@app.example/',
        '%00',
        '\\',
      ),
      action: fc.constantFrom('a sign-in', 'a sign-in without a target', 'a page', 'a sign-out'),
      target: fc.constantFrom('/here', '/a?b=c', '/there#x'),
    }),
    async run(world, { bad, action, target }) {
      const browser = world.browser('ada')
      if (action === 'a sign-out') await browser.signIn('alpha', world.people.ada)
      const csrfToken = await browser.csrfToken()
      plantTarget(world, browser, bad)
      const at = (path: string) => `${world.basePath}/${path}`
      const form = { csrfToken, ...(action !== 'a sign-in without a target' && { callbackUrl: target }) }
      if (action === 'a page')
        await browser.send(`${at('signin')}?${new URLSearchParams({ callbackUrl: target })}`)
      else if (action === 'a sign-out') await browser.send(at('signout'), { form })
      else await browser.send(at(`signin/${world.idOf('alpha') ?? ''}`), { form })
      for (const { request, reply } of world.replies) {
        const names = reply.cookies.map(({ key }) => key)
        const twice = names.find((name, index) => names.indexOf(name) !== index)
        const where = `${request.method} ${new URL(request.url).pathname}`
        world.check('CK-08', twice === undefined, `${twice} is set twice in one response, at ${where}`)
      }
      world.reach(action)
    },
  }),
]
