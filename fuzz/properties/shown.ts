import fc from 'fast-check'
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
)

export const shownProperties: readonly Property[] = [
  property({
    proves: ['IL-05'],
    name: 'nothing that a request says becomes markup of a page',
    story: 'A link to the sign-in page of an application runs a script of the attacker there.',
    advice: 'Escape every value for the place where it stands, and show errors by texts of your own.',
    runs: 60,
    input: fc.record({
      page: fc.constantFrom(...pages),
      name: fc.constantFrom('error', 'callbackUrl', 'code', 'email', 'provider', 'type', 'x'),
      text: markup,
      before: fc.constantFrom('', '/', 'https://app.example/', 'OAuthSignin'),
    }),
    async run(world, { page, name, text, before }) {
      const browser = world.browser('ada')
      const query = new URLSearchParams({ [name]: before + text })
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
