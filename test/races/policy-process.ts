/** A process of the site on which every row of the policy is tested. */
import { memoryRevocations } from '../../src/adapters/memory-revocations.ts'
import { siteConfig, type Strategy } from '../support/account-policy/config.ts'
import { devices, keepingFeatures } from '../support/account-policy/kept-by-features.ts'
import { reportEvents, secret } from '../support/app.ts'
import { describe, joinParent } from './join-parent.ts'

const [, , url = '', , strategy = ''] = process.argv
const { store, send, serve } = await joinParent(url)

serve({
  ...siteConfig(strategy as Strategy, store.revocations ?? memoryRevocations(), (sent) =>
    send({ kind: 'sent', sent }),
  ),
  features: [...keepingFeatures, devices],
  trustHost: true,
  secret,
  adapter: store.adapter,
  session: { strategy: strategy === 'database' ? 'database' : 'jwt' },
  events: reportEvents((event, message) => send({ kind: 'event', event, message })),
  debug: true,
  logger: {
    error: (error) => send({ kind: 'error', name: error.name, message: describe(error) }),
    warn() {},
    debug(_, metadata) {
      const { ended } = (metadata ?? {}) as { ended?: string }
      if (ended) send({ kind: 'ended', ended })
    },
  },
})
