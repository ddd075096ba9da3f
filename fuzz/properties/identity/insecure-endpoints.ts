import fc from 'fast-check'
import type { Setup } from '../../targets/setup.ts'
import type { Endpoint } from '../../world/idp/faults.ts'
import { property, type Property } from '../property.ts'
import { consentTo, subjectOf } from '../support/consent.ts'
import { signInUnder } from '../support/faulty.ts'
import { withUserinfo, days } from '../support/identity-responses.ts'

function plainHttp(issuer: string): Setup {
  return { provider: { alpha: { issuer } }, idp: { alpha: { issuer } } }
}

const insecure: Readonly<Record<string, Setup>> = {
  issuer: plainHttp('http://alpha.example'),
  'token endpoint': { idp: { alpha: { metadata: { token_endpoint: 'http://alpha.example/token' } } } },
  'authorization endpoint': {
    idp: { alpha: { metadata: { authorization_endpoint: 'http://alpha.example/authorize' } } },
  },
  userinfo: {
    ...withUserinfo,
    idp: { alpha: { metadata: { userinfo_endpoint: 'http://alpha.example/userinfo' } } },
  },
  keys: { idp: { alpha: { metadata: { jwks_uri: 'http://alpha.example/jwks' } } } },
  'token endpoint on loopback': {
    idp: { alpha: { metadata: { token_endpoint: 'http://127.0.0.1:2375/token' } } },
  },
  'authorization endpoint on loopback': {
    idp: { alpha: { metadata: { authorization_endpoint: 'http://localhost:8080/authorize' } } },
  },
  'userinfo on loopback': {
    ...withUserinfo,
    idp: { alpha: { metadata: { userinfo_endpoint: 'http://sub.localhost/userinfo' } } },
  },
  'keys on another loopback address': {
    idp: { alpha: { metadata: { jwks_uri: 'http://127.9.8.7:2375/jwks' } } },
  },
  'keys on loopback': { idp: { alpha: { metadata: { jwks_uri: 'http://[::1]/jwks' } } } },
  'a host that ends with a loopback name': plainHttp('http://notlocalhost'),
  'a host that begins with a loopback name': plainHttp('http://localhost.alpha.example'),
  'a host with a loopback address as prefix': plainHttp('http://127.0.0.1.alpha.example'),
  'configured endpoint': { provider: { plain: { token: 'http://plain.example/token' } } },
}

export const insecureEndpointProperties: readonly Property[] = [
  property({
    proves: ['OI-16'],
    name: 'sends no part of a sign-in over plain http',
    story: 'An attacker on the network reads codes, secrets and tokens, or impersonates the provider.',
    advice: 'Require https for every URL, unless the issuer itself is on a loopback host.',
    // Only a site, or a provider, that uses plain http has this problem.
    severity: 'leak',
    setups: insecure,
    runs: 4,
    async run(world) {
      const browser = world.browser('ada')
      for (const provider of ['alpha', 'plain'] as const) {
        const { location } = await browser.start(provider)
        world.check('OI-16', location?.protocol !== 'http:', `the browser is redirected to ${location?.href}`)
        if (!location || location.origin === world.origin) continue
        world.prove(browser, world.people.ada, provider)
        await browser.arrive(
          await consentTo(world, provider, location, subjectOf(world.people.ada, provider)),
        )
      }
      const sent = world.network.sent.find(({ url }) => url.startsWith('http:'))
      world.check('OI-16', sent === undefined, `a request went to ${sent?.url}`)
    },
  }),

  property({
    proves: ['OI-16'],
    name: 'does not use a plain http issuer, even if every endpoint uses https',
    story: 'A client that accepts such an issuer will later fetch its metadata or keys unencrypted.',
    advice:
      'Check the issuer as strictly as the endpoints, even if the application requests nothing from it.',
    severity: 'hardening',
    setups: {
      'configured endpoints': { provider: { plain: { issuer: 'http://plain.example' } } },
    },
    runs: 3,
    async run(world) {
      const { location } = await world.browser('ada').start('plain')
      world.check(
        'OI-16',
        location?.origin === world.origin,
        `the browser is redirected to ${location?.href}`,
      )
      await world.browser('ada').signIn('alpha', world.people.ada)
    },
  }),

  property({
    proves: ['OI-16'],
    name: 'follows no redirect from an endpoint',
    story: 'A redirect takes codes and client secrets to another host.',
    advice: 'Send with `redirect: manual`, and refuse every 3xx response.',
    needs: ['clock'],
    setups: { userinfo: withUserinfo },
    runs: 30,
    input: fc.record({
      provider: fc.constantFrom('alpha', 'plain'),
      endpoint: fc.constantFrom<Endpoint[]>('token', 'userinfo', 'discovery', 'jwks'),
      fault: fc.constantFrom('302', '307'),
      days,
    }),
    async run(world, { provider, endpoint, fault, days: later }) {
      world.advance(later * 86_400)
      const opened = await signInUnder(world, provider, `${endpoint}:${fault}`)
      const followed = world.idps[provider].requestsTo('unknown').length
      world.check('OI-16', followed === 0, `a ${fault} of the ${endpoint} endpoint was followed`)
      world.reach(opened ? 'not requested' : endpoint)
    },
  }),

  property({
    proves: ['OI-16'],
    name: 'allows plain http on a loopback host',
    story: 'Nobody can try an application on their own machine.',
    advice: 'Treat localhost, 127.0.0.0/8 and ::1 as secure.',
    severity: 'hardening',
    setups: {
      loopback: plainHttp('http://localhost:4998'),
      'another address': plainHttp('http://127.0.1.1:4998'),
    },
    runs: 3,
    async run(world) {
      const { location } = await world.browser('ada').start('alpha')
      const isAway = location !== undefined && location.origin !== world.origin
      world.check('OI-16', isAway, 'a provider on a loopback host is refused')
      world.check(
        'OI-16',
        (await world.browser('ada').signIn('alpha', world.people.ada)).status < 400,
        'a provider on a loopback host is refused',
      )
    },
  }),
]
