import { describe, expect, it } from 'vitest'
import { csrfOf, openApp, sessionOf, signIn, visitProvider, type App } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'
import { spread } from '../support/spread.ts'

const checks = { checks: ['pkce', 'nonce', 'state'] } satisfies { checks: string[] }
const purposes = ['state', 'pkce', 'nonce', 'session', 'csrf', 'wire state'] as const
type Purpose = (typeof purposes)[number]
const kinds = ['secure', 'plain'] as const
type Kind = (typeof kinds)[number]

/** The cookie for values of this purpose. The state in the URL has none. */
function nameOf(purpose: Exclude<Purpose, 'wire state'>, kind: Kind): string {
  const names = {
    state: 'state',
    pkce: 'pkce.code_verifier',
    nonce: 'nonce',
    session: 'session-token',
    csrf: 'csrf-token',
  }
  const prefix = kind === 'plain' ? '' : purpose === 'csrf' ? '__Host-' : '__Secure-'
  return `${prefix}authjs.${names[purpose]}`
}

function open(kind: Kind, strategy: 'jwt' | 'database' = 'jwt'): App {
  const config = { useSecureCookies: kind === 'secure', redirectProxyUrl: 'https://app.test/auth' }
  return openApp({ provider: { ...checks, checks: [...checks.checks] as never }, config, strategy })
}

const heldBy = (agent: Agent, purpose: Exclude<Purpose, 'wire state'>, kind: Kind) =>
  decodeURIComponent(agent.cookies()[nameOf(purpose, kind)] ?? '')

/** Creates a valid value for each purpose, as this application does. */
async function makeValues(app: App, kind: Kind): Promise<Record<Purpose | 'session id', string>> {
  const agent = app.agent()
  await signIn(app, agent)
  const { parameters } = await visitProvider(app, agent)
  const rows = open(kind, 'database')
  const inStore = rows.agent()
  await signIn(rows, inStore)
  const held = (purpose: Exclude<Purpose, 'wire state'>) => heldBy(agent, purpose, kind)
  return {
    state: held('state'),
    pkce: held('pkce'),
    nonce: held('nonce'),
    session: held('session'),
    csrf: held('csrf'),
    'wire state': parameters.get('state') ?? '',
    'session id': heldBy(inStore, 'session', kind),
  }
}

/** Whether the application accepts the value in this slot. */
async function isTaken(app: App, slot: Purpose, kind: Kind, value: string): Promise<boolean> {
  const agent = app.agent()
  const plant = (purpose: Exclude<Purpose, 'wire state'>) =>
    agent.set(`${nameOf(purpose, kind)}=${encodeURIComponent(value)}; Path=/; Secure`)
  switch (slot) {
    case 'session':
      plant('session')
      return (await sessionOf(agent)) !== null
    case 'csrf': {
      plant('csrf')
      for (const csrfToken of [value, value.split('|')[0] ?? '', value.split('.')[0] ?? '']) {
        await agent.send('/auth/signin/idp', { form: { csrfToken } })
        if (app.ended() !== 'refused') return true
      }
      return (await csrfOf(agent)) === value.split('|')[0]
    }
    case 'wire state':
      await agent.send(`/auth/callback/idp?code=c&state=${encodeURIComponent(value)}`)
      return app.hops.at(-1)?.event !== 'state.unreadable'
    default: {
      const { parameters } = await visitProvider(app, agent)
      plant(slot)
      await agent.send(`/auth/callback/idp?${parameters}`)
      return app.hops.at(-1)?.event !== 'check.invalid'
    }
  }
}

describe('a value issued for one purpose', () => {
  const cases = spread('values in slots')

  it.each(kinds)(
    'SU-09 is accepted in its own slot only, under %s names',
    async (kind) => {
      for (const maker of kinds) {
        const app = open(kind)
        const values = await makeValues(maker === kind ? app : open(maker), maker)
        for (const slot of purposes) {
          for (const [purpose, value] of Object.entries(values)) {
            expect(value, purpose).not.toBe('')
            // Check cookies are also bound to their transaction. This test is about their purpose.
            const isOwn = purpose === slot && (maker === kind || slot === 'csrf' || slot === 'wire state')
            expect(await isTaken(app, slot, kind, value), `${purpose} (${maker}) as ${slot} (${kind})`).toBe(
              isOwn,
            )
            cases.count(isOwn ? 'own' : 'other')
          }
        }
      }
      cases.report()
    },
    30_000,
  )

  it('SU-09 is not accepted as a session id', async () => {
    for (const kind of kinds) {
      const values = await makeValues(open(kind), kind)
      const app = open(kind, 'database')
      for (const [purpose, value] of Object.entries(values))
        expect(await isTaken(app, 'session', kind, value), purpose).toBe(false)
    }
  })
})
