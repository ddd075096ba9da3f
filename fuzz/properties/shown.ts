import fc from 'fast-check'
import type { Setup } from '../targets/setup.ts'
import { member } from '../world/reply.ts'
import { property, type Property } from './property.ts'

const pages = ['signin', 'signout', 'error', 'verify-request', 'providers', 'csrf', 'session'] as const
const markup = fc.constantFrom(
  '<script>canary()</script>',
  '"><img src=x onerror=canary()>',
  "'><svg onload=canary()>",
  '</title><script>canary()</script>',
  '<!--<canary>-->',
  '</style><script>canary()</script>',
  '&lt;canary&gt;',
)

/** What a name or a colour of a configuration may be, where somebody else chooses it. */
const configured = {
  'an element': '<img src=x onerror=canary()>',
  'the end of an attribute': '"><svg onload=canary()>',
  'the end of a style sheet': '</style><script>canary()</script>',
  'a colour, and the end of a style sheet': 'rgb(0,0,0)</style><script>canary()</script>',
  'a colour, and more rules': 'rgb(0,0,0)}canary{color:red',
  'more rules': 'red}canary{color:red',
} as const

/** An application in which this is the word for everything. */
function worded(text: string): Setup {
  const theme = { brandColor: text, buttonText: text, logo: text }
  const provider = { name: text, style: { brandColor: text, bg: text, text, logo: text } }
  return { provider: { alpha: provider, plain: provider, mail: { name: text } }, config: { theme } }
}

export const shownProperties: readonly Property[] = [
  property({
    proves: ['IL-05'],
    name: 'nothing that a request says becomes markup of a page',
    story: 'A link to the sign-in page of an application runs a script of the attacker there.',
    advice: 'Escape every value for the place where it stands, and show errors by texts of your own.',
    setups: {
      database: {},
      'an application that leads anywhere': {
        config: { callbacks: { redirect: ({ url }: { url: string }) => url } },
      },
    },
    runs: 120,
    input: fc.record({
      page: fc.oneof(fc.constantFrom('signin', 'signout', 'callback/mail'), fc.constantFrom(...pages)),
      name: fc.oneof(
        fc.constantFrom('callbackUrl'),
        fc.constantFrom('error', 'code', 'email', 'provider', 'token', 'type', 'x'),
      ),
      text: markup,
      before: fc.constantFrom('', '/', 'https://app.example/', 'OAuthSignin'),
    }),
    async run(world, { page, name, text, before }) {
      const browser = world.browser('ada')
      // A link that was mailed has both, and its page asks first.
      const link = page === 'callback/mail' && { token: 'x', email: 'ada@mail.example' }
      const query = new URLSearchParams({ ...link, [name]: before + text })
      const first = await browser.send(`${world.basePath}/${page}?${query}`)
      const again = await browser.send(`${world.basePath}/${page}`)
      for (const { text: shown, headers } of [first, again]) {
        const isHtml = headers.get('content-type')?.includes('html') ?? false
        world.hold('IL-05', !isHtml || !shown.includes(text), `${page}?${query} shows ${text} as it came`)
        if (isHtml) world.reach('a page')
      }
    },
  }),

  property({
    proves: ['IL-05'],
    name: 'nothing of a configuration becomes markup, or more of a style sheet than a value',
    story: 'Who may name a provider, or choose a colour, of one tenant runs a script on the sign-in page.',
    advice: 'Escape names where they stand, and take nothing for a colour that is none to its end.',
    setups: Object.fromEntries(Object.entries(configured).map(([what, text]) => [what, worded(text)])),
    runs: 8,
    input: fc.constantFrom('signin', 'signin', 'signout', 'error', 'verify-request'),
    async run(world, page) {
      const { text: shown, headers } = await world.browser('ada').send(`${world.basePath}/${page}`)
      world.demand(headers.get('content-type')?.includes('html') ?? false, 'there is no such page')
      const sheets = [...shown.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, sheet = '']) => sheet)
      const outside = shown.replaceAll(/<style[^>]*>.*?<\/style>/gs, '')
      for (const word of ['<img src=x', '<svg on', '<script>canary'])
        world.hold('IL-05', !outside.includes(word), `${page} has ${word} of the configuration for markup`)
      const sheet = sheets.find((each) => each.includes('canary'))
      world.hold('IL-05', sheet === undefined, `the style sheet of ${page} has rules of a colour`)
      await world.browser('ada').signIn('alpha', world.people.ada)
    },
  }),

  property({
    proves: ['IL-04'],
    name: 'an error that a link makes up is not told by its own words',
    story: 'A link to the error page of an application shows what an attacker has to say there.',
    advice: 'Look texts up by the name of the error, and have one for all other names.',
    setups: { usual: {}, 'without debugging': { config: { debug: false } } },
    runs: 20,
    input: fc.record({
      page: fc.constantFrom('signin', 'error', 'error', 'verify-request', 'signout'),
      error: fc.constantFrom(
        'canaryerror',
        'canary, call 555 0100',
        'SELECT canary',
        'Configurationcanary',
        '',
      ),
    }),
    async run(world, { page, error }) {
      const browser = world.browser('ada')
      const { text, headers, failure } = await browser.send(
        `${world.basePath}/${page}?${new URLSearchParams({ error })}`,
      )
      world.hold('IL-04', failure === undefined, `${page} breaks: ${failure ?? ''}`)
      world.demand(headers.get('content-type')?.includes('html') ?? false, 'there is no such page')
      // A form may lead to where its page is.
      const shown = text.replaceAll(/\b(?:action|href)="[^"]*"/g, '')
      world.hold('IL-04', !shown.includes('canary'), `${page} tells the error ${error} by its own words`)
    },
  }),

  property({
    proves: ['IL-07'],
    name: 'the list of providers says what a page needs, and no more',
    story: 'Anybody reads client secrets or endpoints from the list that sign-in pages are made of.',
    advice: 'Pick id, name, type and the two URLs by name.',
    runs: 10,
    input: fc.boolean(),
    async run(world, isIn) {
      const browser = world.browser('ada')
      if (isIn) await browser.signIn('alpha', world.people.ada)
      const { json, status } = await browser.send(`${world.basePath}/providers`)
      world.demand(
        status === 200 && typeof json === 'object' && json !== null,
        'there is no list of providers',
      )
      for (const [key, provider] of Object.entries(json ?? {})) {
        const names = Object.keys(provider as object)
        const strange = names.filter(
          (name) => !['id', 'name', 'type', 'signinUrl', 'callbackUrl'].includes(name),
        )
        world.hold('IL-07', strange.length === 0, `the list says ${strange.join(', ')} of ${key}`)
      }
      const alpha = world.idOf('alpha') ?? ''
      world.hold('IL-07', member(json, alpha, 'id') === alpha, 'the list does not name a provider')
    },
  }),

  property({
    proves: ['IL-08'],
    name: 'no other origin may read what a route answers',
    story: 'A page of an attacker reads the session of its visitors.',
    advice: 'Send no Access-Control-Allow-Origin at all.',
    runs: 40,
    input: fc.record({
      page: fc.constantFrom(...pages, 'signin/alpha', 'callback/alpha', 'signout'),
      origin: fc.constantFrom(
        'https://evil.example',
        'null',
        'https://app.example.evil.example',
        'http://app.example',
      ),
      method: fc.constantFrom('GET', 'POST', 'OPTIONS'),
    }),
    async run(world, { page, origin, method }) {
      const browser = world.browser('ada')
      await browser.signIn('alpha', world.people.ada)
      const headers = {
        origin,
        ...(method === 'OPTIONS' && { 'access-control-request-method': 'POST' }),
      }
      const reply = await browser.send(`${world.basePath}/${page}`, {
        method,
        headers,
        ...(method === 'POST' && { form: { x: '1' } }),
      })
      const allowed = reply.headers.get('access-control-allow-origin')
      world.hold(
        'IL-08',
        allowed !== '*' && allowed !== origin,
        `${method} ${page} may be read by ${String(allowed)}`,
      )
    },
  }),
]
