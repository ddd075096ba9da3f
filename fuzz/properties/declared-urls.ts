import fc from 'fast-check'
import type { Setup } from '../targets/setup.ts'
import { member } from '../world/reply.ts'
import { property, type Property } from './property.ts'

/** Values of `AUTH_URL` that name no site, each by what is wrong with it. */
const unusable: Readonly<Record<string, string>> = {
  'no scheme': 'app.example',
  'no scheme, with a port': 'app.example:3000',
  'no scheme, with a path': 'app.example/auth',
  'another scheme': 'ftp://app.example',
  'a misspelt scheme': 'htps://app.example',
  'no host': 'https://',
  blank: ' ',
  empty: '',
  credentials: 'https://ada:lovelace@app.example',
}

const setups = Object.fromEntries(
  Object.entries(unusable).map(([name, url]): [string, Setup] => [name, { env: { AUTH_URL: url } }]),
)

export const declaredUrlProperties: readonly Property[] = [
  property({
    proves: ['DEC-40a', 'HH-01'],
    name: 'an AUTH_URL that names no site is refused, and never replaced by the host of a request',
    story:
      'A typing mistake in AUTH_URL goes unnoticed, and mailed links lead to whatever host an attacker sends.',
    advice: 'Refuse a configuration whose URL cannot be parsed.',
    setups,
    runs: 45,
    input: fc.constantFrom('session', 'csrf', 'providers', 'signin', 'error'),
    async run(world, path) {
      const to = 'https://evil.example'
      const { json, cookies } = await world.send(new Request(`${to}${world.basePath}/csrf`))
      const csrfToken = String(member(json, 'csrfToken'))
      const email = world.people.ada.address.mail
      const started = await world.send(
        new Request(`${to}${world.basePath}/signin/${world.idOf('mail')}`, {
          method: 'POST',
          headers: { cookie: cookies.map(({ key, value }) => `${key}=${value}`).join('; ') },
          body: new URLSearchParams({ csrfToken, email }),
          redirect: 'manual',
        }),
      )
      const mail = await world.mailbox.waitFor(email, 0)
      world.hold('DEC-40a', mail === undefined, `a mail leads to ${mail?.link.origin}`)
      world.hold(
        'HH-01',
        started.location?.origin !== to,
        `a sign-in leads to ${started.location?.origin ?? ''}`,
      )
      const asked = await world.send(new Request(`${to}${world.basePath}/${path}`))
      const shown = `${asked.headers.get('location') ?? ''} ${asked.text}`
      world.hold('HH-01', !shown.includes('evil.example'), `${path} names the host of the request`)
      world.hold('DEC-40a', asked.status >= 400, `${path} is answered ${asked.status}`)
      const said = world.told.errors.map(({ message }) => message).join(' ')
      world.hold('DEC-40a', said.includes('AUTH_URL'), 'the log does not name AUTH_URL')
      world.hold('DEC-40a', !said.includes('lovelace'), 'the log has the password of the URL')
    },
  }),
]
