import fc from 'fast-check'
import { property, type Property } from './property.ts'
import { runErrand, targetsOf } from './support/errands.ts'

/** Follows what is named inside a target that is well itself. */
function readGoal({ url, baseUrl }: { url: string; baseUrl: string }): string {
  return new URL(url, baseUrl).searchParams.get('goal') ?? url
}

export const redirectAnswerProperties: readonly Property[] = [
  property({
    proves: ['RD-03', 'RD-06'],
    name: 'no answer of a redirect callback leads to another scheme than http or https',
    story:
      'A callback follows what a link names inside its target, and a script runs in the page that is next.',
    advice: 'Read what the callback answers as a URL, and take any that is not http(s) for the base URL.',
    needs: ['setup'],
    setups: { 'a redirect callback that reads the query': { config: { callbacks: { redirect: readGoal } } } },
    runs: 40,
    reaches: { followed: 1 },
    input: fc.record({
      errand: fc.constantFrom('alpha' as const, 'signout' as const, 'its link' as const),
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
    async run(world, { errand, source, goal }) {
      const browser = world.browser('ada')
      if (errand === 'signout') await browser.signIn('alpha', world.people.ada)
      const target = `/?${new URLSearchParams({ goal })}`
      const replies = await runErrand(world, browser, { errand, source, target })
      for (const reply of replies) {
        for (const url of targetsOf(reply, world.origin)) {
          const shown = `a callback answered ${goal} at ${errand}, which led to ${url?.href ?? 'no URL'}`
          world.hold('RD-03', url?.protocol === 'https:' || url?.protocol === 'http:', shown)
        }
      }
      if (source !== 'body' || !goal.startsWith('https:')) return
      const last = replies.at(-1)?.location?.href
      world.hold(
        'RD-06',
        last === goal,
        `a callback answered ${goal} at ${errand}, which led to ${last ?? ''}`,
      )
      world.reach('followed')
    },
  }),
]
