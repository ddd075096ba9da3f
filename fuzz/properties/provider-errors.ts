import fc from 'fast-check'
import { anyText } from '../arbitraries/any-text.ts'
import { property, type Property } from './property.ts'
import { remotes, withParameters } from './support/consent.ts'
import { holdRefused, holdUnchanged, takeStock } from './support/stock.ts'

export const providerErrorsProperties: readonly Property[] = [
  property({
    proves: ['TX-11'],
    name: 'an error of a provider opens nothing, and none of its words is shown or followed',
    story:
      'Who can put a text into an answer writes on the application’s own pages, or leads people away from them.',
    advice: 'Map every error to a code of your own, and log the rest.',
    runs: 60,
    input: fc.record({
      provider: fc.constantFrom(...remotes),
      error: fc.oneof(
        fc.constantFrom('access_denied', 'server_error', 'login_required', 'interaction_required'),
        fc.constantFrom('canaryerror', '<img src=canaryerror>', 'canaryerror&callbackUrl=//evil.example'),
        anyText(20).map((text) => `canaryerror${text}`),
      ),
      beside: fc.constantFrom('nothing', 'a code'),
    }),
    async run(world, { provider, error, beside }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const arrival = await browser.visit(provider, ada)
      const before = await takeStock(world, browser)
      const answer = withParameters(arrival, (query) => {
        if (beside === 'nothing') query.delete('code')
        query.set('error', error)
        query.set('error_description', 'canarydescription <b>canarytag</b>')
        query.set('error_uri', 'https://evil.example/canaryuri')
      })
      const reply = await browser.arrive(answer)
      await holdRefused(world, 'TX-11', browser, before, `the provider said ${JSON.stringify(error)}`)
      const { location } = reply
      const page =
        location?.origin === world.origin && location.pathname.startsWith(`${world.basePath}/`)
          ? await browser.send(`${location.pathname}${location.search}`, { says: 'follows it' })
          : undefined
      for (const { text, headers } of [reply, ...(page ? [page] : [])]) {
        const shown = `${text} ${[...headers].join(' ')} ${headers.getSetCookie().join(' ')}`
        const words = ['canarydescription', 'canarytag', 'canaryuri', 'evil.example', 'canaryerror']
        const seen = words.find((word) => shown.includes(word))
        world.hold('TX-11', seen === undefined, `what the provider said is shown: ${seen}`)
      }
      await browser.signIn(provider, ada)
    },
  }),

  property({
    proves: ['TX-11'],
    name: 'an error of a provider is believed only within its own sign-in',
    story:
      'Any page can send a browser to a callback with an error, and have the application tell its story.',
    advice: 'Check state and cookies of an answer before its error is read, as for a code.',
    runs: 40,
    input: fc.record({
      provider: fc.constantFrom(...remotes),
      browser: fc.constantFrom('a new browser', 'one with another answer pending'),
    }),
    async run(world, { provider, browser: which }) {
      const { ada, eve } = world.people
      const foreign = await world.browser('eve').visit(provider, eve)
      const answerOf = async (change: (query: URLSearchParams) => void) => {
        const browser = world.browser('ada')
        if (which !== 'a new browser') await browser.visit(provider, ada)
        const before = await takeStock(world, browser)
        const { status, location } = await browser.arrive(withParameters(foreign, change))
        await holdUnchanged(world, 'TX-11', browser, before, 'an answer of no sign-in of this browser came')
        return `${status} ${location?.pathname ?? ''} ${location?.searchParams.get('error') ?? ''}`
      }
      // Without a state, another answer is not told from one's own before the code is used.
      if (which !== 'a new browser' && !foreign.parameters.has('state')) return
      const withCode = await answerOf(() => {})
      const withError = await answerOf((query) => {
        query.delete('code')
        query.set('error', 'access_denied')
      })
      world.hold(
        'TX-11',
        withError === withCode,
        `an answer of no sign-in of this browser is answered ${withCode} with a code, and ${withError} with an error, which was believed`,
      )
      world.reach(which)
      await world.browser('ada').signIn(provider, ada)
    },
  }),
]
