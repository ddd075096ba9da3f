import { eachOf } from '../../arbitraries/every-of.ts'
import type { RemoteName } from '../../world/people.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { remotes } from '../support/consent.ts'
import { describedBy } from '../support/described.ts'
import { readSecrets } from '../support/provider-secrets.ts'

/** Pages for developers and operators, and files of a project. */
const paths: readonly string[] = [
  '/debug /_debug /debug/session /debug/sessions /debug/config /debug/env /debug/vars /sessions /users',
  '/tokens /admin /admin/users /admin/sessions /api/users /api/sessions /api/debug /api/config /status',
  '/info /health /metrics /actuator/env /env /config /config.json /trace /test /logs /log /app.log',
  '/debug.log /.env /package.json /app.js /app.py /config.js /settings.py /.git/config /%2e%2e/app.log',
].flatMap((line) => line.split(' '))

/** Pages that show one user, by a number or by a name that others can guess. */
const pagesOf = (name: string, provider: RemoteName): readonly string[] => {
  const keys = ['0', '1', '2', `${name}-at-${provider}`, name]
  return ['/users', '/api/users', '/user', '/api/user', '/profile', '/accounts', '/members'].flatMap((path) =>
    keys.map((key) => `${path}/${key}`),
  )
}

export const exposureProperties: readonly Property[] = [
  property({
    proves: ['IL-06'],
    name: 'shows no secret, session or other user on a page for developers, or in a file of the project',
    story: 'Anyone opens a page that somebody wrote for debugging, and copies the sessions of all users.',
    advice:
      'Remove such pages, or let only operators reach them; serve files from a folder that has nothing else.',
    severity: 'takeover',
    needs: ['description'],
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      const { ada, eve } = world.people
      const { sessionCookie } = describedBy(world)
      const owner = world.browser('ada')
      await owner.signIn(provider, ada)
      const cookie = decode(sessionCookie(owner.cookies()))
      const browser = world.browser('eve')
      await browser.signIn(provider, eve)
      for (const path of paths) {
        const { text } = await browser.send(`${describedBy(world).root}${path}`, { says: 'opens a page' })
        checkPage(world, `${path}, opened by ${eve.name},`, decode(text), idIn(cookie), provider)
        checkAddresses(world, `${path}, opened by ${eve.name},`, text, provider)
      }
      for (const path of pagesOf(ada.name, provider)) {
        const { text } = await browser.send(`${describedBy(world).root}${path}`, {
          says: 'opens the page of a user',
        })
        checkAddresses(world, `${path}, opened by ${eve.name},`, text, provider)
      }
      await world.browser('ada').signIn(provider, ada)
    },
  }),
]

function checkPage(world: World, what: string, text: string, session: string, provider: RemoteName): void {
  const isOpen = session.length > 15 && text.includes(session)
  world.check('IL-06', !isOpen, `${what} shows the session of another user`, { observed: 'another user' })
  const [secret] = readSecrets(world, provider).find(([, value]) => text.includes(value)) ?? []
  world.check('IL-06', secret === undefined, `${what} shows ${secret}`, { observed: 'a secret' })
}

function checkAddresses(world: World, what: string, text: string, provider: RemoteName): void {
  const { ada, bob } = world.people
  const found = [ada, bob].find(({ address }) => text.includes(address[provider]))
  world.check('IL-06', found === undefined, `${what} shows the address of ${found?.name}`, {
    observed: 'a secret',
  })
}

/** Returns the id in a signed cookie, as Express writes it: `s:id.signature`. A store has it without the signature. */
function idIn(value: string): string {
  const [, id] = /^s:([^.]+)\./.exec(value) ?? []
  return id ?? value
}

function decode(text: string): string {
  return text.replaceAll(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
}
