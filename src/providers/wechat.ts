import type {
  GivenId,
  OAuth2Config,
  OAuthUserConfig,
  TokenEndpointHandler,
  UserinfoEndpointHandler,
} from '../types/provider.ts'
import type { ProviderProfile, TokenSet } from '../types/records.ts'
import { makeUser, oauth2, repairTokens, requestUser } from '../provider-base/base.ts'
import { fetchOf, preset, type Preset } from '../provider-base/preset.ts'
import * as marks from '../provider-base/marks.ts'

/** The user data of WeChat that the preset reads. */
export interface WeChatProfile extends ProviderProfile {
  /** Specific to this account or website. */
  openid: string
  /** The same for all accounts and websites of one developer. */
  unionid: string
  nickname: string
  headimgurl?: string
}

interface WeChatOptions<P> extends OAuthUserConfig<P> {
  /** The registered type: inside WeChat, or a page that shows a QR code. @default 'OfficialAccount' */
  readonly platformType?: 'OfficialAccount' | 'WebsiteApp'
}

/** WeChat's token response contains the user's id for this account or website. */
interface WeChatTokens extends TokenSet {
  openid?: string
}

const connect = 'https://open.weixin.qq.com/connect'
const api = 'https://api.weixin.qq.com/sns'
const pages = {
  OfficialAccount: { path: 'oauth2/authorize', scope: 'snsapi_userinfo' },
  WebsiteApp: { path: 'qrconnect', scope: 'snsapi_login' },
} as const

/**
 * Signs users in with WeChat.
 *
 * Register an official account at https://mp.weixin.qq.com, or a website at https://open.weixin.qq.com, whose
 * authorization callback domain is that of the callback URL `https://<host>/auth/callback/wechat`.
 *
 * Options: `clientId`, `clientSecret`, `platformType`, and any of `OAuthUserConfig`. Claims: unionid (present if the account or website belongs to the WeChat Open Platform), nickname, headimgurl. WeChat provides no address.
 *
 * @see https://developers.weixin.qq.com/doc/oplatform/en/Website_App/WeChat_Login/Wechat_Login.html
 * @example providers: [WeChat({ clientId: '...', clientSecret: '...' })]
 */
export default function WeChat<P extends WeChatProfile = WeChatProfile, const Id extends GivenId = GivenId>(
  options: WeChatOptions<P> & { id?: Id } = {},
): Preset<OAuth2Config<P>, 'wechat', Id> {
  const { path, scope } = pages[options.platformType ?? 'OfficialAccount']
  return oauth2(options, {
    id: 'wechat',
    name: 'WeChat',
    authorization: { url: `${connect}/${path}#wechat_redirect`, params: { scope } },
    token: {
      url: `${api}/oauth2/access_token`,
      request({ params, provider: { clientId: appid = '', clientSecret: secret = '', ...provider } }) {
        const code = params.get('code') ?? ''
        const query = new URLSearchParams({ appid, secret, code, grant_type: 'authorization_code' })
        return fetchOf(provider)(`${api}/oauth2/access_token?${query}`, { redirect: 'manual' })
      },
      conform: repairTokens,
    } satisfies TokenEndpointHandler,
    userinfo: {
      url: `${api}/userinfo`,
      request({ tokens, provider }) {
        const { access_token: token = '', openid = '' }: WeChatTokens = tokens
        const query = new URLSearchParams({ access_token: token, openid, lang: 'zh_CN' })
        return requestUser(provider, `${api}/userinfo?${query}`, {})
      },
    } satisfies UserinfoEndpointHandler,
    checks: ['state'],
    [preset]: { derive: ({ clientId }) => ({ authorization: { params: { appid: clientId } } }) },
    profile: ({ unionid: id, nickname: name, headimgurl: image }) => makeUser({ id, name, image }),
    style: { brandColor: '#fff', mark: marks.wechat },
  })
}
