import { eachOf } from '../../arbitraries/every-of.ts'
import { Absent } from '../../world/breach.ts'
import type { Sending } from '../../world/browser.ts'
import type { RemoteName } from '../../world/people.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { remotes } from '../support/consent.ts'
import { callbackOf, describedBy } from '../support/described.ts'

interface Odd {
  /** What follows the path. */
  readonly suffix?: string
  readonly sending?: Sending
}

const post = (headers: Readonly<Record<string, string>>, json?: unknown): Sending => ({
  method: 'POST',
  headers,
  ...(json !== undefined && { json }),
})

/** Requests that code often reads without a check: in a log, a cache key, a parser or an event handler. */
const oddRequests = {
  'a percent sign in the query': { suffix: '?q=100%' },
  'a percent sign in the path': { suffix: '/100%' },
  'bytes that are not UTF-8': { suffix: '/%C0%AF?q=%FF' },
  'a null character': { suffix: '/%00?q=%00' },
  'a name of an object in the query': { suffix: '?__proto__[x]=1&constructor=1&toString=1&q[]=1&q[x]=1' },
  'a very long query': { suffix: `?q=${'x'.repeat(6000)}` },
  'a malformed cookie': { sending: { headers: { cookie: 'a=%; =; b="; __proto__=1; c=%FF' } } },
  'a malformed Authorization header': { sending: { headers: { authorization: 'Basic %' } } },
  'an Authorization header without a value': { sending: { headers: { authorization: 'Bearer' } } },
  'a Referer that is no URL': { sending: { headers: { referer: 'http://[' } } },
  'an Origin that is no URL': { sending: { headers: { origin: 'http://[' } } },
  'a forwarded host that is no host': {
    sending: { headers: { 'x-forwarded-host': '[', forwarded: 'host="' } },
  },
  'languages that are no languages': { sending: { headers: { 'accept-language': ';q=x,*-*-*,-' } } },
  'a date that is no date': { sending: { headers: { 'if-modified-since': 'x', 'if-none-match': '"' } } },
  'an empty JSON body': { sending: post({ 'content-type': 'application/json' }) },
  'JSON that is null': { sending: post({}, null) },
  'a form that asks for an unknown method': {
    sending: { method: 'POST', form: {}, headers: { 'x-http-method-override': '%' } },
  },
  'a form without its boundary': { sending: post({ 'content-type': 'multipart/form-data' }) },
  'another method': { sending: { method: 'PROPFIND' } },
} as const satisfies Readonly<Record<string, Odd>>

export const oddRequestProperties: readonly Property[] = [
  property({
    proves: ['FI-12'],
    name: 'still runs, and keeps its sessions, after requests that no browser sends',
    story: 'One request of a stranger ends the process, and with it the application of all users.',
    advice:
      'Catch errors in event handlers and in work that continues after the response, and check input before you decode it.',
    needs: ['description'],
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      const { bob } = world.people
      const owner = world.browser('bob')
      await owner.signIn(provider, bob)
      const paths = [
        `${describedBy(world).root}/`,
        describedBy(world).sessionRequest.path,
        callbackOf(world, { provider }),
        ...startOf(world, provider),
      ]
      const browser = world.browser('eve')
      for (const [what, { suffix = '', sending }] of Object.entries<Odd>(oddRequests)) {
        for (const path of paths)
          await browser.send(`${path}${suffix}`, { ...sending, says: `sends ${what}` })
        const isIn = (await owner.whoAmI()) === bob.name
        // An application that refuses further requests for a while has lost no session.
        if (!isIn) await world.browser('bob').signIn(provider, bob)
        world.check('FI-12', isIn, `after ${what}, the session of ${bob.name} is gone`, {
          observed: 'a sign-out',
        })
      }
    },
  }),
]

/** Returns the path at which a sign-in begins, without its query, if the description has it. */
function startOf(world: World, provider: RemoteName): readonly string[] {
  try {
    const { path } = describedBy(world).withoutProof('signIn', provider)
    return [path.replace(/[?#].*$/, '')]
  } catch (error) {
    if (error instanceof Absent) return []
    throw error
  }
}
