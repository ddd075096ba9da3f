import { eachOf } from '../../arbitraries/every-of.ts'
import type { Setup } from '../../targets/setup.ts'
import { member } from '../../world/reply.ts'
import { property, type Property } from '../property.ts'

/** Invalid values of `AUTH_URL`, by their defect. */
const unusable: Readonly<Record<string, string>> = {
  'no scheme': 'app.example',
  'no scheme, with a port': 'app.example:3000',
  'no scheme, with a path': 'app.example/auth',
  'another scheme': 'ftp://app.example',
  'a misspelt scheme': 'htps://app.example',
  'no host': 'https://',
  blank: ' ',
  credentials: 'https://ada:lovelace@app.example',
}

const setups = Object.fromEntries(
  Object.entries(unusable).map(([name, url]): [string, Setup] => [name, { env: { AUTH_URL: url } }]),
)

export const declaredUrlProperties: readonly Property[] = [
  property({
    proves: ['DEC-40e'],
    name: 'treats an empty AUTH_URL as unset',
    story: 'A compose file passes unset variables as empty strings, and every request fails.',
    advice: 'Treat an empty environment variable as unset.',
    setups: { database: { env: { AUTH_URL: '', AUTH_REDIRECT_PROXY_URL: '' } } },
    runs: 5,
    ...eachOf(['session', 'csrf', 'providers', 'signin']),
    async run(world, path) {
      const reply = await world.send(new Request(`${world.origin}${world.basePath}/${path}`))
      world.check('DEC-40e', reply.status === 200, `${path} gets ${reply.status}`)
    },
  }),
  property({
    proves: ['DEC-40a', 'HH-01'],
    name: 'refuses an invalid AUTH_URL instead of falling back to the request’s host',
    story: 'A typo in AUTH_URL goes unnoticed, and mailed links point to a host that an attacker chooses.',
    advice: 'Refuse a configuration whose URL cannot be parsed.',
    setups,
    runs: 45,
    ...eachOf(['session', 'csrf', 'providers', 'signin', 'error']),
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
      world.check('DEC-40a', mail === undefined, `a mail links to ${mail?.link.origin}`)
      world.check(
        'HH-01',
        started.location?.origin !== to,
        `a sign-in redirects to ${started.location?.origin ?? ''}`,
      )
      const reply = await world.send(new Request(`${to}${world.basePath}/${path}`))
      const shown = `${reply.headers.get('location') ?? ''} ${reply.text}`
      world.check('HH-01', !shown.includes('evil.example'), `${path} names the host of the request`)
      world.check('DEC-40a', reply.status >= 400, `${path} returns ${reply.status}`)
      const said = world.recorded.errors.map(({ message }) => message).join(' ')
      world.check('DEC-40a', said.includes('AUTH_URL'), 'the log does not name AUTH_URL')
      const isExplained = /scheme|https?:|valid|parse|blank|empty|password|credentials/i.test(said)
      world.check('DEC-40a', isExplained, `the log does not say what is wrong with AUTH_URL: ${said}`)
      world.check('DEC-40a', !said.includes('lovelace'), 'the log contains the password of the URL')
    },
  }),
]
