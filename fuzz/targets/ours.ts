import {
  createHandler,
  createTokenReader,
  deleteUser,
  type Flow,
  type Flows,
  flows,
  type Hop,
  nameHop,
  revokeSessions,
  serveSessions,
} from 'authmachine/instrumented'
import type { AuthConfig } from 'authmachine/types'
import { decode, encode, getToken } from 'authmachine/jwt'
import Apple from 'authmachine/providers/apple'
import Eventbrite from 'authmachine/providers/eventbrite'
import GitHub from 'authmachine/providers/github'
import GitLab from 'authmachine/providers/gitlab'
import Google from 'authmachine/providers/google'
import Kakao from 'authmachine/providers/kakao'
import MicrosoftEntraID from 'authmachine/providers/microsoft-entra-id'
import Passkey from 'authmachine/providers/passkey'
import { Password } from 'authmachine/password'
import { createRateLimits } from 'authmachine/rate-limit'
import { totp } from 'authmachine/second-factor'
import { answeringGate, gate, secondGate } from './gate.ts'
import { createRevocationList } from './revocation-list.ts'
import type { Wanted } from './setup.ts'
import type { LibraryTarget, TokenFunctions } from './target.ts'

/** The token functions; the target's types accept any parameters. */
const tokens: object = { encode, decode, getToken }

function revoking(config: Record<string, unknown>): Record<string, unknown> {
  return { ...config, jwt: { revocations: createRevocationList(), ...(config.jwt as object) } }
}

/** The defaults of the ready-made counters. */
function throttle(by: NonNullable<Wanted['throttle']>) {
  const { rateLimit } = createRateLimits({
    account: ({ username }) => username,
    ...(by === true && { clientAddress: ({ headers }) => headers.get('x-client-address') ?? undefined }),
  })
  return { rateLimit }
}

function listGates(wanted: NonNullable<Wanted['gate']>) {
  if (typeof wanted === 'function') return [answeringGate(wanted)]
  return wanted === 'two' ? [gate, secondGate] : [gate]
}

/** The answer that passes the gates. */
const agree = () => ({ answer: 'yes' })

/** Opens this library with these flows. */
export function openOurs(driven: Flows): LibraryTarget {
  const byName = new Map<string, Flow>(Object.entries(driven))
  let listen = (_hop: string): void => {}
  const report = (hop: Hop) => listen(nameHop(hop))
  const replace = (flow: Flow) => byName.get(flow.id) ?? flow
  const handle = createHandler(replace, report)
  const readToken = createTokenReader(replace, report)
  return {
    name: 'ours',
    capabilities: [
      'absolute-lifetime',
      'account-page',
      'audience',
      'back-channel-logout',
      'canonical-url',
      'confirm-page',
      'email-change',
      'explicit-linking',
      'gate',
      'header-limits',
      'jwt-revocation',
      'mail-codes',
      'narrow-session-user',
      'parallel-tabs',
      'passwords',
      'prehijack-guard',
      'proven-email-registration',
      'pushed-requests',
      'rate-limit',
      'redirect-allow-list',
      'refresh',
      'restore-link',
      'second-factor',
      'supersede-links',
      'throttle',
      'token-limit',
      'user-disable',
    ],
    open: (config: object) => async (request) => (await handle(request, config as AuthConfig)) as Response,
    passkey: (options) => Passkey(options),
    // Parameters that cost no time.
    password: (options) => Password({ parameters: '$scrypt$ln=4,r=8,p=1', ...options }),
    emailChange: (emailChange) => ({ emailChange }),
    turnOn: {
      'account-page': (config) => ({ ...config, accountPage: true }),
      'absolute-lifetime': (config, absoluteMaxAge) => ({
        ...config,
        session: { ...(config.session as object), absoluteMaxAge },
      }),
      'back-channel-logout': (config) => ({
        ...revoking(config),
        providers: (config.providers as readonly object[]).map((provider) =>
          'issuer' in provider ? { ...provider, backChannelLogout: true } : provider,
        ),
      }),
      gate: (config, wanted) => ({ ...config, features: listGates(wanted) }),
      audience: (config, audience) => ({ ...config, jwt: { ...(config.jwt as object), audience } }),
      'jwt-revocation': revoking,
      'second-factor': (config) => ({
        ...config,
        secondFactor: totp({ issuer: 'Oracle', rememberFor: 86_400 }),
      }),
      'supersede-links': (config) => ({
        ...config,
        providers: (config.providers as readonly { type?: unknown }[]).map((provider) =>
          provider.type === 'email' ? { ...provider, supersedeLinks: true } : provider,
        ),
      }),
      throttle: (config, by) => ({
        ...config,
        callbacks: { ...(config.callbacks as object), ...throttle(by) },
      }),
    },
    gates: { gate: agree, 'second-gate': agree },
    operate: (config: object) => ({
      async getAccessToken(account) {
        const found = await readToken(config as AuthConfig, account)
        return found.state === 'current' ? found.accessToken : undefined
      },
      revokeSessions: (userId) => revokeSessions(config as AuthConfig, userId),
      requireSession: ({ request, ...required }) =>
        serveSessions(config as AuthConfig).requireSession(request, required),
      deleteUser: (userId) => deleteUser(config as AuthConfig, userId),
    }),
    presets: {
      apple: (options) => Apple(options),
      eventbrite: (options) => Eventbrite(options),
      github: (options) => GitHub(options),
      gitlab: (options) => GitLab(options),
      kakao: (options) => Kakao(options),
      google: (options) => Google(options),
      'microsoft-entra-id': (options) => MicrosoftEntraID(options),
      'microsoft-entra-id of some tenants': (options) => MicrosoftEntraID(options),
    },
    tokens: tokens as TokenFunctions,
    watchHops: (listener) => void (listen = listener),
  }
}

export default openOurs(flows)
