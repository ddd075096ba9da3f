import fc from 'fast-check'
import { property, type Property } from '../property.ts'
import { runAction, targetsOf } from '../support/redirecting-requests.ts'

/** Returns the URL in the query of an otherwise valid target. */
function followGoal({ url, baseUrl }: { url: string; baseUrl: string }): string {
  return new URL(url, baseUrl).searchParams.get('goal') ?? url
}

export const redirectResultProperties: readonly Property[] = [
  property({
    proves: ['RD-03', 'RD-06'],
    name: 'follows no result of a redirect callback with a scheme other than http or https',
    story: 'A callback returns a URL from the query of its target, and a script runs in the next page.',
    advice: 'Parse the callback’s result as a URL, and replace any that is not http(s) with the base URL.',
    needs: ['setup'],
    setups: {
      'a redirect callback that reads the query': { config: { callbacks: { redirect: followGoal } } },
    },
    runs: 40,
    reaches: { followed: 1 },
    input: fc.record({
      action: fc.constantFrom('alpha' as const, 'signout' as const, 'its link' as const),
      source: fc.constantFrom('body', 'body', 'query', 'cookie'),
      goal: fc.oneof(
        fc.constant('https://elsewhere.example/well'),
        fc.constantFrom(
          'javascript:alert(1)',
          'data:text/html,<script>alert(1)</script>',
          'blob:https://app.example/x',
          'file:///etc/passwd',
          'myapp://open',
          'ftp://app.example/',
        ),
      ),
    }),
    async run(world, { action, source, goal }) {
      const browser = world.browser('ada')
      if (action === 'signout') await browser.signIn('alpha', world.people.ada)
      const target = `/?${new URLSearchParams({ goal })}`
      const replies = await runAction(world, browser, { action, source, target })
      for (const reply of replies) {
        for (const url of targetsOf(reply, world.origin)) {
          const shown = `a callback returned ${goal} at ${action}, which redirected to ${url?.href ?? 'no URL'}`
          world.check('RD-03', url?.protocol === 'https:' || url?.protocol === 'http:', shown)
        }
      }
      if (source !== 'body' || !goal.startsWith('https:')) return
      const last = replies.at(-1)?.location?.href
      world.check(
        'RD-06',
        last === goal,
        `a callback returned ${goal} at ${action}, which redirected to ${last ?? ''}`,
      )
      world.reach('followed')
    },
  }),
]
