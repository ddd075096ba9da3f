import { SignJWT } from 'jose'
import { loadKeys } from '../../fuzz/world/idp/keys.ts'
import { platform as platformKey } from '../../src/types/symbols.ts'
import { writeClaim } from '../../src/flows/shared/keep-tokens.ts'
import type { AdapterAccount } from '../../src/types/adapter.ts'
import type { Platform } from '../../src/types/config.ts'
import { issuer, signIn, type App, type AppOptions, type openApp } from './app.ts'

/** Responds to a refresh at the token endpoint. */
export type Answer = (sent: URLSearchParams) => Response | Promise<Response>

export const key = { provider: 'idp', providerAccountId: 'ada' }

export interface RefreshApp {
  readonly app: App
  /** The refresh tokens that the provider received. */
  readonly sent: string[]
  /** Ada's stored account. */
  readonly account: () => AdapterAccount | undefined
  /** Changes the stored account. */
  readonly store: (patch: Partial<AdapterAccount>) => void
  /** A claimed refresh token that its holder never releases. */
  readonly claimed: (token: string, seconds: number) => string
}

/** Responds with a new pair of tokens, each replacing the previous one. */
export function rotating(): Answer {
  return (body) => {
    const next = Number(/\d+$/.exec(body.get('refresh_token') ?? '')?.[0] ?? 0) + 1
    return Response.json({
      access_token: `access-${next}`,
      refresh_token: `refresh-${next}`,
      token_type: 'Bearer',
      expires_in: 600,
    })
  }
}

/** A `fetch` that responds to refreshes in place of the provider, and records their refresh tokens in `sent`. */
export function interceptRefreshes(idp: () => App['idp'], answer: Answer, sent: string[]): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const body = new URLSearchParams(request.method === 'POST' ? await request.clone().text() : '')
    if (body.get('grant_type') !== 'refresh_token') return idp().fetch(request)
    sent.push(body.get('refresh_token') ?? '')
    return answer(body)
  }
}

/** Ada has signed in, and her account has the refresh token `refresh-1`; its access token has expired. */
export async function openRefreshApp(
  open: typeof openApp,
  answer: Answer,
  { timer, ...options }: AppOptions & { readonly timer?: Platform['timer'] } = {},
): Promise<RefreshApp> {
  const sent: string[] = []
  const send = interceptRefreshes(() => app.idp, answer, sent)
  const app: App = open({
    strategy: 'database',
    ...options,
    config: { ...options.config, [platformKey]: { fetch: send, ...(timer && { timer }) } },
  })
  await signIn(app, app.agent())
  const store = (patch: Partial<AdapterAccount>) => void app.store.updateAccount({ ...key, ...patch })
  store({ access_token: 'access-1', refresh_token: 'refresh-1', expires_at: app.clock.now() / 1000 - 1 })
  return {
    app,
    sent,
    store,
    account: () => app.rows.accounts()[0],
    claimed: (token, seconds) => writeClaim(token, app.clock.now() + seconds * 1000),
  }
}

/** An id_token of the test's provider. */
export async function idToken(claims: object, now: number, key?: CryptoKey): Promise<string> {
  const iat = Math.floor(now / 1000)
  const { rsa } = (await loadKeys()).first
  return new SignJWT({ iss: issuer, aud: 'client', iat, exp: iat + 600, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: rsa.kid })
    .sign(key ?? rsa.privateKey)
}
