import fc from 'fast-check'
import { everyOf } from '../../arbitraries/every-of.ts'
import { anyText } from '../../arbitraries/any-text.ts'
import { property, type Property } from '../property.ts'
import { remotes, withParameters } from '../support/consent.ts'
import { formPost } from '../support/form-post.ts'
import { checkRefused, checkUnchanged, takeSnapshot } from '../support/snapshot.ts'

/** Errors of a provider, and texts that no page may show. */
const errors: readonly string[] = ['access_denied', 'server_error', 'login_required', 'interaction_required']
const strange: readonly string[] = [
  'canaryerror',
  '<img src=canaryerror>',
  'canaryerror&callbackUrl=//evil.example',
]

/** Returns whether a browser reads a response as a page. It guesses if the type is missing. */
const isPage = (headers: Headers) => /html|xml/.test(headers.get('content-type') ?? 'html')

const words = ['canarydescription', 'canarytag', 'canaryuri', 'evil.example', 'canaryerror']

/** Finds a text of the provider in a response. */
function findText(text: string, headers: Headers) {
  const places = {
    shown: text,
    'in the URL of a redirect': headers.get('location') ?? '',
    'in a cookie': headers.getSetCookie().join(' '),
    'in a header': [...headers].join(' '),
  }
  return Object.entries(places)
    .map(([where, content]) => ({ where, word: words.find((each) => content.includes(each)) }))
    .find(({ word }) => word !== undefined)
}

export const providerErrorsProperties: readonly Property[] = [
  property({
    proves: ['TX-11'],
    name: 'signs nobody in on a provider error, and ignores its text and URL',
    story:
      'An attacker’s error response puts text on the application’s own pages, or sends users to another site.',
    advice: 'Map every error to one of your own codes, and log the rest.',
    portable: true,
    setups: { database: {}, 'form post': formPost },
    runs: 60,
    cases: everyOf({ provider: remotes, error: [...errors, ...strange], beside: ['nothing', 'a code'] })
      .cases,
    input: fc.record({
      provider: fc.constantFrom(...remotes),
      error: fc.oneof(
        fc.constantFrom(...errors),
        fc.constantFrom(...strange),
        anyText(20).map((text) => `canaryerror${text}`),
      ),
      beside: fc.constantFrom('nothing', 'a code'),
    }),
    async run(world, { provider, error, beside }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const arrival = await browser.visit(provider, ada)
      const before = await takeSnapshot(world, browser)
      const response = withParameters(arrival, (query) => {
        if (beside === 'nothing') query.delete('code')
        query.set('error', error)
        query.set('error_description', 'canarydescription <b>canarytag</b>')
        query.set('error_uri', 'https://evil.example/canaryuri')
      })
      const reply = await browser.arrive(response)
      await checkRefused(
        world,
        'TX-11',
        browser,
        before,
        `the provider returned the error ${JSON.stringify(error)}`,
      )
      const { location } = reply
      const page =
        location?.origin === world.origin && location.pathname.startsWith(`${world.basePath}/`)
          ? await browser.send(`${location.pathname}${location.search}`, { says: 'follows the redirect' })
          : undefined
      for (const { text, headers } of [reply, ...(page ? [page] : [])]) {
        const isMarkup = isPage(headers) && /<(?:b>canarytag|img src=canaryerror)/.test(text)
        const found = findText(text, headers)
        const says = `the provider’s text is ${isMarkup ? 'shown as markup' : found?.where}: ${found?.word}`
        world.check('TX-11', !found, says, { observed: isMarkup ? 'a script' : 'a text' })
      }
      await browser.signIn(provider, ada)
    },
  }),

  property({
    proves: ['TX-11'],
    name: 'trusts a provider error only within its own sign-in',
    story: 'Any page sends a browser to the callback with an error, and the application displays it.',
    advice: 'Check state and cookies of a response before you read its error, as for a code.',
    runs: 40,
    ...everyOf({ provider: remotes, browser: ['a new browser', 'one with a pending sign-in'] }),
    async run(world, { provider, browser: which }) {
      const { ada, eve } = world.people
      const foreign = await world.browser('eve').visit(provider, eve)
      const outcomeOf = async (change: (query: URLSearchParams) => void) => {
        const browser = world.browser('ada')
        if (which !== 'a new browser') await browser.visit(provider, ada)
        const before = await takeSnapshot(world, browser)
        const { status, location } = await browser.arrive(withParameters(foreign, change))
        await checkUnchanged(
          world,
          'TX-11',
          browser,
          before,
          'a response without a sign-in in this browser arrived',
        )
        return `${status} ${location?.pathname ?? ''} ${location?.searchParams.get('error') ?? ''}`
      }
      // Without a state, a foreign response is only detected when the code is used.
      if (which !== 'a new browser' && !foreign.parameters.has('state')) return
      const withCode = await outcomeOf(() => {})
      const withError = await outcomeOf((query) => {
        query.delete('code')
        query.set('error', 'access_denied')
      })
      world.check(
        'TX-11',
        withError === withCode,
        `a response without a sign-in in this browser returns ${withCode} with a code, and ${withError} with an error`,
        { observed: 'a text' },
      )
      world.reach(which)
      await world.browser('ada').signIn(provider, ada)
    },
  }),
]
