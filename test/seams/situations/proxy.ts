import type { Call, Situation, Stage } from '../situation.ts'
import { oauthProvider, startAtProvider } from './support.ts'

const proxy = 'https://proxy.test'
const redirectProxyUrl = `${proxy}/auth`

function proxied(
  title: string,
  play: (stage: Stage) => Call | Promise<Call>,
  by: 'option' | 'variable' = 'option',
) {
  return {
    group: 'Redirect proxy',
    title,
    ...(by === 'variable' && { environment: { AUTH_REDIRECT_PROXY_URL: redirectProxyUrl } }),
    play(stage: Stage) {
      stage.config.providers = [oauthProvider(stage)]
      // Auth.js has no list of origins, and forwards any state sealed with the shared secret.
      stage.config.redirectProxy = { allow: () => true }
      if (by === 'option') stage.config.redirectProxyUrl = redirectProxyUrl
      // Integrations call this. Without it, the published core reads no variables.
      else stage.lib.setEnvDefaults({ ...process.env, NODE_ENV: 'test' }, stage.config)
      if (by === 'variable') stage.config.basePath = '/auth'
      return play(stage)
    },
  } satisfies Situation
}

const start: Call = { path: '/auth/signin/idp', form: {} }

export const proxySituations: readonly Situation[] = [
  proxied('sign-in on a preview', () => start),
  proxied('sign-in on a preview, by `AUTH_REDIRECT_PROXY_URL`', () => start, 'variable'),
  proxied('sign-in on the proxy itself', () => ({ ...start, origin: proxy })),
  proxied('the URL of the proxy is not a URL', (stage) => {
    stage.config.redirectProxyUrl = 'proxy.test/auth'
    return start
  }),
  proxied('a provider without the state check', (stage) => {
    stage.config.providers = [oauthProvider(stage, {}, { checks: ['pkce'] })]
    return start
  }),
  proxied('a provider with `checks: ["none"]`', (stage) => {
    stage.config.providers = [oauthProvider(stage, {}, { checks: ['none'] })]
    return start
  }),
  proxied('at the proxy: response for a preview', async (stage) => ({
    ...(await startAtProvider(stage)),
    origin: proxy,
  })),
  proxied('at the proxy: the provider returns `access_denied` for a preview', async (stage) => ({
    ...(await startAtProvider(stage, { error: 'access_denied' })),
    origin: proxy,
  })),
  proxied('at the proxy: unreadable state', () => ({
    path: '/auth/callback/idp?code=code&state=nonsense',
    origin: proxy,
  })),
  proxied('at the proxy: no state', () => ({ path: '/auth/callback/idp?code=code', origin: proxy })),
  proxied('at the proxy: state sealed with another secret', async (stage) => {
    const call = await startAtProvider(stage)
    stage.config.secret = 'another secret of the comparison'
    return { ...call, origin: proxy }
  }),
  proxied('back on the preview', (stage) => startAtProvider(stage)),
  proxied('back on the preview: no check cookies', async (stage) => {
    const call = await startAtProvider(stage)
    stage.cookies.clear()
    return call
  }),
]
