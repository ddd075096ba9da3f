import fc from 'fast-check'
import { property, type Property } from './property.ts'
import { plantTarget } from './support/errands.ts'

const passwords = { strategy: 'jwt', providers: ['alpha', 'form'] } as const

export const targetCookieProperties: readonly Property[] = [
  property({
    proves: ['CK-08'],
    name: 'a target that takes the place of a bad one is set once',
    story: 'One response clears a cookie and sets it; browsers differ in which of the two they keep.',
    advice: 'Collect the changes of a response by name, and write the last one of each.',
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
      errand: fc.constantFrom('a sign-in', 'a sign-in without a target', 'a page', 'a sign-out'),
      target: fc.constantFrom('/here', '/a?b=c', '/there#x'),
    }),
    async run(world, { bad, errand, target }) {
      const browser = world.browser('ada')
      if (errand === 'a sign-out') await browser.signIn('alpha', world.people.ada)
      const csrfToken = await browser.csrfToken()
      plantTarget(world, browser, bad)
      const at = (path: string) => `${world.basePath}/${path}`
      const form = { csrfToken, ...(errand !== 'a sign-in without a target' && { callbackUrl: target }) }
      if (errand === 'a page')
        await browser.send(`${at('signin')}?${new URLSearchParams({ callbackUrl: target })}`)
      else if (errand === 'a sign-out') await browser.send(at('signout'), { form })
      else await browser.send(at(`signin/${world.idOf('alpha') ?? ''}`), { form })
      for (const { request, reply } of world.replies) {
        const names = reply.cookies.map(({ key }) => key)
        const twice = names.find((name, index) => names.indexOf(name) !== index)
        const where = `${request.method} ${new URL(request.url).pathname}`
        world.hold('CK-08', twice === undefined, `${twice} is set twice in one response, at ${where}`)
      }
      world.reach(errand)
    },
  }),
]
