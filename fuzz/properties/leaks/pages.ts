import fc from 'fast-check'
import { eachOf } from '../../arbitraries/every-of.ts'
import type { Setup } from '../../targets/setup.ts'
import { member } from '../../world/reply.ts'
import { property, type Property } from '../property.ts'

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

/** Names and colours in a configuration, as a tenant could choose them. */
const configured = {
  'an element': '<img src=x onerror=canary()>',
  'the end of an attribute': '"><svg onload=canary()>',
  'the end of a style sheet': '</style><script>canary()</script>',
  'a colour, and the end of a style sheet': 'rgb(0,0,0)</style><script>canary()</script>',
  'a colour, and more rules': 'rgb(0,0,0)}canary{color:red',
  'more rules': 'red}canary{color:red',
} as const

/** An application that uses this text everywhere. */
function withText(text: string): Setup {
  const theme = { brandColor: text, buttonText: text, logo: text }
  const provider = { name: text, style: { brandColor: text, bg: text, text, logo: text } }
  return { provider: { alpha: provider, plain: provider, mail: { name: text } }, config: { theme } }
}

/** Values of a theme that no page contains by default. */
const colour = fc.constantFrom('#a1b2c3', '#c3b2a1', '#123abc')
const logo = fc.constantFrom('/logo-one.png', '/logo-two.png')

export const pageProperties: readonly Property[] = [
  property({
    proves: ['IL-05'],
    name: 'renders no request data as markup',
    story: 'A link to an application’s sign-in page runs an attacker’s script there.',
    advice: 'Escape every value for its context, and show your own texts for errors.',
    setups: {
      database: {},
      'an application with open redirects': {
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
      // A mailed link has both, and its page requests confirmation first.
      const link = page === 'callback/mail' && { token: 'x', email: 'ada@mail.example' }
      const query = new URLSearchParams({ ...link, [name]: before + text })
      const first = await browser.send(`${world.basePath}/${page}?${query}`)
      const again = await browser.send(`${world.basePath}/${page}`)
      for (const { text: shown, headers } of [first, again]) {
        const isHtml = headers.get('content-type')?.includes('html') ?? false
        world.check('IL-05', !isHtml || !shown.includes(text), `${page}?${query} shows ${text} unescaped`)
        if (isHtml) world.reach('a page')
      }
    },
  }),

  property({
    proves: ['IL-05'],
    name: 'renders no configuration value as markup, or as more than one CSS value',
    story:
      'A tenant’s administrator names a provider or chooses a colour, and runs a script on the sign-in page.',
    advice: 'Escape names for their context, and accept only complete colour values.',
    setups: Object.fromEntries(Object.entries(configured).map(([what, text]) => [what, withText(text)])),
    runs: 8,
    ...eachOf(['signin', 'signout', 'error', 'verify-request']),
    async run(world, page) {
      const { text: shown, headers } = await world.browser('ada').send(`${world.basePath}/${page}`)
      world.assume(headers.get('content-type')?.includes('html') ?? false, 'there is no such page')
      const sheets = [...shown.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, sheet = '']) => sheet)
      const outside = shown.replaceAll(/<style[^>]*>.*?<\/style>/gs, '')
      for (const word of ['<img src=x', '<svg on', '<script>canary'])
        world.check(
          'IL-05',
          !outside.includes(word),
          `${page} renders ${word} of the configuration as markup`,
        )
      const sheet = sheets.find((each) => each.includes('canary'))
      world.check('IL-05', sheet === undefined, `the style sheet of ${page} has rules from a colour value`)
      await world.browser('ada').signIn('alpha', world.people.ada)
    },
  }),

  property({
    proves: ['WIR-063', 'CC-11'],
    name: 'renders each application’s own colours and logo, also next to another application',
    story: 'Two tenants share a process, and the pages of one have the colours of the other.',
    advice: 'Make every option of the theme part of the cache key.',
    severity: 'hardening',
    needs: ['setup'],
    setups: { usual: {} },
    runs: 10,
    input: fc.record({
      page: fc.constantFrom('signin', 'signout', 'error', 'verify-request'),
      themes: fc.uniqueArray(fc.tuple(colour, colour, logo), {
        minLength: 2,
        maxLength: 4,
        selector: (theme) => theme.join(' '),
      }),
    }),
    async run(base, { page, themes }) {
      for (const [brandColor, buttonText, path] of themes) {
        const theme = { brandColor, buttonText, logo: path }
        const world = await base.another({ config: { theme } }, 'own')
        const { text, headers } = await world.send(new Request(world.url(page)))
        world.assume(headers.get('content-type')?.includes('html') ?? false, 'there is no such page')
        for (const [option, value] of Object.entries(theme))
          for (const id of ['WIR-063', 'CC-11'] as const)
            world.check(id, text.includes(value), `${page} does not use the ${option} ${value}`)
      }
    },
  }),

  property({
    proves: ['IL-04'],
    name: 'shows no error text from a link',
    story: 'A link to an application’s error page shows an attacker’s message.',
    advice: 'Look texts up by error name, and use one text for all unknown names.',
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
      world.check('IL-04', failure === undefined, `${page} breaks: ${failure ?? ''}`)
      world.assume(headers.get('content-type')?.includes('html') ?? false, 'there is no such page')
      // A form may post to the URL of its page.
      const shown = text.replaceAll(/\b(?:action|href)="[^"]*"/g, '')
      world.check('IL-04', !shown.includes('canary'), `${page} shows the text of the error ${error}`)
    },
  }),

  property({
    proves: ['IL-07'],
    name: 'lists only public fields of each provider',
    story: 'Anyone reads client secrets or endpoints from the list behind the sign-in page.',
    advice: 'Pick id, name, type and the two URLs by name.',
    runs: 10,
    input: fc.boolean(),
    async run(world, isIn) {
      const browser = world.browser('ada')
      if (isIn) await browser.signIn('alpha', world.people.ada)
      const { json, status } = await browser.send(`${world.basePath}/providers`)
      world.assume(
        status === 200 && typeof json === 'object' && json !== null,
        'there is no list of providers',
      )
      for (const [key, provider] of Object.entries(json ?? {})) {
        const names = Object.keys(provider as object)
        const strange = names.filter(
          (name) => !['id', 'name', 'type', 'signinUrl', 'callbackUrl'].includes(name),
        )
        world.check('IL-07', strange.length === 0, `the list shows ${strange.join(', ')} of ${key}`)
      }
      const alpha = world.idOf('alpha') ?? ''
      world.check('IL-07', member(json, alpha, 'id') === alpha, 'the list does not contain a provider')
    },
  }),

  property({
    proves: ['IL-08'],
    name: 'allows no other origin to read a response',
    story: 'An attacker’s page reads its visitor’s session.',
    advice: 'Send no Access-Control-Allow-Origin header at all.',
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
      world.check(
        'IL-08',
        allowed !== '*' && allowed !== origin,
        `${String(allowed)} may read ${method} ${page}`,
      )
    },
  }),
]
