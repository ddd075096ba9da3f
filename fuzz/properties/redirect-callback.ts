import fc from 'fast-check'
import { property, type Property } from './property.ts'
import { plantTarget } from './support/errands.ts'

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
    name: 'the redirect callback is asked once about a target, and its answer is followed',
    story: 'A developer’s rule about targets is asked twice, or its answer is judged once more and dropped.',
    advice: 'Ask the callback at one place, and use what it returns.',
    needs: ['hooks'],
    setups: { database: echo, passwords: { ...echo, strategy: 'jwt', providers: ['alpha', 'form'] } },
    runs: 40,
    input: fc.record({
      errand: fc.constantFrom('form', 'signout', 'signin'),
      source: fc.constantFrom('body', 'query', 'cookie'),
      target: fc.constantFrom(
        '/welcome',
        '/a?b=c',
        'https://app.example/x',
        'https://evil.example/',
        '/throws',
      ),
    }),
    async run(world, { errand, source, target }) {
      const { ada } = world.people
      const form = world.idOf('form')
      if (errand === 'form' && !form) return
      const browser = world.browser('ada')
      if (errand === 'signout') await browser.signIn('alpha', ada)
      const csrfToken = await browser.csrfToken()
      if (source === 'cookie') plantTarget(world, browser, target)
      const before = world.told.callbacks.length
      const path = { form: `callback/${form}`, signout: 'signout', signin: `signin/${world.idOf('alpha')}` }[
        errand
      ]
      const query =
        source === 'query' && errand !== 'signin' ? `?${new URLSearchParams({ callbackUrl: target })}` : ''
      if (source === 'query' && query === '') return
      const reply = await browser.send(`${world.basePath}/${path}${query}`, {
        form: {
          csrfToken,
          username: 'ada',
          password: ada.password,
          ...(source === 'body' && { callbackUrl: target }),
        },
      })
      const asked = world.told.callbacks.slice(before).filter(({ name }) => name === 'redirect')
      const times = asked.filter(({ params }) => isSame(params.url, target, world.origin)).length
      world.hold(
        'RD-06',
        times === 1,
        `the callback was asked ${times} times about ${target} by ${source} at ${errand}`,
      )
      world.hold('RD-06', asked.length === 1, `the callback was asked ${asked.length} times in one request`)
      world.reach(errand)
      if (errand === 'signin') return
      const { location } = reply
      if (target === '/throws') {
        world.hold(
          'RD-06',
          location?.href === `${world.origin}/`,
          `the callback failed, and ${location?.href} is followed`,
        )
      } else {
        const isOurs =
          location?.pathname === '/from-callback' &&
          isSame(location.searchParams.get('url'), target, world.origin)
        world.hold(
          'RD-06',
          isOurs,
          `the callback’s answer for ${target} is not what is followed: ${location?.href}`,
        )
      }
    },
  }),
]

/** Do two texts mean the same URL? */
function isSame(text: unknown, target: string, base: string): boolean {
  return (
    typeof text === 'string' &&
    URL.canParse(text, base) &&
    new URL(text, base).href === new URL(target, base).href
  )
}
