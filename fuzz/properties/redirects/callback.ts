import fc from 'fast-check'
import { property, type Property } from '../property.ts'
import { plantTarget } from '../support/redirecting-requests.ts'

const echo = {
  config: {
    callbacks: {
      redirect({ url, baseUrl }: { url: string; baseUrl: string }) {
        if (url.includes('throws')) throw new Error('no such page')
        return `${baseUrl}/from-callback?${new URLSearchParams({ url })}`
      },
    },
  },
}

export const redirectCallbackProperties: readonly Property[] = [
  property({
    proves: ['RD-06'],
    name: 'calls the redirect callback once per target, and follows its result',
    story: 'A developer’s rule about targets runs twice, or its result is checked again and dropped.',
    advice: 'Call the callback in one place, and use what it returns.',
    needs: ['hooks'],
    setups: { database: echo, passwords: { ...echo, strategy: 'jwt', providers: ['alpha', 'form'] } },
    runs: 40,
    input: fc.record({
      action: fc.constantFrom('form', 'signout', 'signin'),
      source: fc.constantFrom('body', 'query', 'cookie'),
      target: fc.constantFrom(
        '/welcome',
        '/a?b=c',
        'https://app.example/x',
        'https://evil.example/',
        '/throws',
      ),
    }),
    async run(world, { action, source, target }) {
      const { ada } = world.people
      const form = world.idOf('form')
      if (action === 'form' && !form) return
      const browser = world.browser('ada')
      if (action === 'signout') await browser.signIn('alpha', ada)
      const csrfToken = await browser.csrfToken()
      if (source === 'cookie') plantTarget(world, browser, target)
      const before = world.recorded.callbacks.length
      const path = { form: `callback/${form}`, signout: 'signout', signin: `signin/${world.idOf('alpha')}` }[
        action
      ]
      const query =
        source === 'query' && action !== 'signin' ? `?${new URLSearchParams({ callbackUrl: target })}` : ''
      if (source === 'query' && query === '') return
      const reply = await browser.send(`${world.basePath}/${path}${query}`, {
        form: {
          csrfToken,
          username: 'ada',
          password: ada.password,
          ...(source === 'body' && { callbackUrl: target }),
        },
      })
      const calls = world.recorded.callbacks.slice(before).filter(({ name }) => name === 'redirect')
      const times = calls.filter(({ params }) => isSame(params.url, target, world.origin)).length
      world.check(
        'RD-06',
        times === 1,
        `the callback was called ${times} times about ${target} by ${source} at ${action}`,
      )
      world.check('RD-06', calls.length === 1, `the callback was called ${calls.length} times in one request`)
      world.reach(action)
      if (action === 'signin') return
      const { location } = reply
      if (target === '/throws') {
        world.check(
          'RD-06',
          location?.href === `${world.origin}/`,
          `the callback failed, but the redirect goes to ${location?.href}`,
        )
      } else {
        const isOurs =
          location?.pathname === '/from-callback' &&
          isSame(location.searchParams.get('url'), target, world.origin)
        world.check('RD-06', isOurs, `the callback’s result for ${target} was not used: ${location?.href}`)
      }
    },
  }),
]

/** Returns whether two strings are the same URL. */
function isSame(text: unknown, target: string, base: string): boolean {
  return (
    typeof text === 'string' &&
    URL.canParse(text, base) &&
    new URL(text, base).href === new URL(target, base).href
  )
}
