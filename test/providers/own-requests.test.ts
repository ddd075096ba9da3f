import { describe, expect, it } from 'vitest'
import { requestUser } from '../../src/provider-base/base.ts'
import Trakt from '../../src/providers/trakt.ts'
import { customFetch } from '../../src/types/symbols.ts'
import { admitted, redirectUri, signIn } from '../oauth/stage.ts'
import { catalogue, type Fact } from './catalogue.ts'
import { type Sent, stageOf } from './catalogue-stage.ts'

const bearer = 'Bearer AT'

function factOf(module: string): Fact {
  const fact = catalogue.find((each) => each.module === module)
  if (fact === undefined) throw new Error(`${module} is not in the catalogue`)
  return fact
}

/** The requests of a sign-in: method and URL, body, and the given headers. */
async function requestsOf(module: string, headers: readonly string[] = ['authorization'], options = {}) {
  const stage = await stageOf(factOf(module), undefined, options)
  const { url } = admitted(await signIn(stage))
  const describeRequest = ({ method, url: target, body, headers: came }: Sent) => ({
    request: `${method} ${target.href}`,
    ...(body.size > 0 && {
      body: Object.fromEntries([...body].filter(([name]) => name !== 'code_verifier')),
    }),
    headers: Object.fromEntries(headers.map((name) => [name, came.get(name)])),
  })
  return { url, sent: stage.sent.map(describeRequest) }
}

const exchange = { code: 'CODE', grant_type: 'authorization_code', redirect_uri: redirectUri }

describe('a provider with its own requests', () => {
  it('PRV-006 DEC-10a Azure DevOps receives the code and the secret as assertions', async () => {
    const { url, sent } = await requestsOf('azure-devops')
    expect(url.searchParams.get('response_type')).toBe('Assertion')
    expect(sent).toEqual([
      {
        request: 'POST https://app.vssps.visualstudio.com/oauth2/token',
        body: {
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: 'SEC',
          grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
          assertion: 'CODE',
          redirect_uri: redirectUri,
        },
        headers: { authorization: null },
      },
      {
        request:
          'GET https://app.vssps.visualstudio.com/_apis/profile/profiles/me?details=true&coreAttributes=Avatar&api-version=6.0',
        headers: { authorization: bearer },
      },
    ])
  })

  it('PRV-007 DEC-10a Bungie returns the member of the token response, with the key of the application', async () => {
    const { sent } = await requestsOf('bungie', ['authorization', 'x-api-key'])
    expect(sent[1]).toEqual({
      request: 'GET https://www.bungie.net/platform/User/GetBungieAccount/4611/254/',
      headers: { authorization: bearer, 'x-api-key': 'KEY' },
    })
  })

  it('PRV-007 DEC-10a Dropbox expects a POST', async () => {
    const { sent } = await requestsOf('dropbox')
    const request = 'POST https://api.dropboxapi.com/2/users/get_current_account'
    expect(sent[1]).toEqual({ request, headers: { authorization: bearer } })
  })

  it('PRV-007 DEC-10a Foursquare receives the token and the API version as parameters', async () => {
    const { sent } = await requestsOf('foursquare', [], { apiVersion: '20250101' })
    const request = 'GET https://api.foursquare.com/v2/users/self?v=20250101&oauth_token=AT'
    expect(sent[1]).toEqual({ request, headers: {} })
  })

  it('PRV-007 DEC-10a HubSpot describes the token', async () => {
    const { sent } = await requestsOf('hubspot', [])
    expect(sent[1]).toEqual({ request: 'GET https://api.hubapi.com/oauth/v1/access-tokens/AT', headers: {} })
  })

  it('PRV-007 DEC-10a Nextcloud returns the user of the token response, with its API header', async () => {
    const { sent } = await requestsOf('nextcloud', ['authorization', 'ocs-apirequest', 'accept'])
    expect(sent[1]).toEqual({
      request: 'GET https://op.example/ocs/v1.php/cloud/users/ada%20b',
      headers: { authorization: bearer, 'ocs-apirequest': 'true', accept: 'application/json' },
    })
  })

  it('PRV-007 DEC-10a Notion returns the bot, in a fixed API version', async () => {
    const { url, sent } = await requestsOf('notion', ['authorization', 'notion-version'])
    expect(url.searchParams.get('owner')).toBe('user')
    expect(sent[1]).toEqual({
      request: 'GET https://api.notion.com/v1/users/me',
      headers: { authorization: bearer, 'notion-version': '2022-06-28' },
    })
  })

  it('PRV-006 DEC-10a TikTok receives the client id as client_key', async () => {
    const { url, sent } = await requestsOf('tiktok', ['authorization', 'content-type'])
    expect(url.searchParams.get('client_key')).toBe('CID')
    expect(sent[0]).toEqual({
      request: 'POST https://open.tiktokapis.com/v2/oauth/token/',
      body: { ...exchange, client_key: 'CID', client_secret: 'SEC' },
      headers: { authorization: null, 'content-type': 'application/x-www-form-urlencoded' },
    })
  })

  it('PRV-007 DEC-10a Trakt receives the API version and the client id', async () => {
    const { sent } = await requestsOf('trakt', ['authorization', 'trakt-api-version', 'trakt-api-key'])
    expect(sent[1]).toEqual({
      request: 'GET https://api.trakt.tv/users/me?extended=full',
      headers: { authorization: bearer, 'trakt-api-version': '2', 'trakt-api-key': 'CID' },
    })
  })

  it('PRV-007 DEC-10a VK receives the token in the body, and the address comes from the token response', async () => {
    const { sent } = await requestsOf('vk', [])
    expect(sent).toEqual([
      {
        request: 'POST https://oauth.vk.com/access_token?v=5.131',
        body: { ...exchange, client_id: 'CID', client_secret: 'SEC' },
        headers: {},
      },
      {
        request: 'POST https://api.vk.com/method/users.get',
        body: { fields: 'photo_100', v: '5.131', access_token: 'AT' },
        headers: {},
      },
    ])
  })

  it('PRV-006 PRV-007 DEC-10a WeChat receives everything as parameters, and the client id as appid', async () => {
    const { url, sent } = await requestsOf('wechat')
    expect(url.origin + url.pathname).toBe('https://open.weixin.qq.com/connect/oauth2/authorize')
    expect([url.hash, url.searchParams.get('appid')]).toEqual(['#wechat_redirect', 'CID'])
    const headers = { authorization: null }
    expect(sent).toEqual([
      {
        request:
          'GET https://api.weixin.qq.com/sns/oauth2/access_token?appid=CID&secret=SEC&code=CODE&grant_type=authorization_code',
        headers,
      },
      {
        request: 'GET https://api.weixin.qq.com/sns/userinfo?access_token=AT&openid=OPENID&lang=zh_CN',
        headers,
      },
    ])
  })

  it('PRV-005 WeChat shows a QR code outside of WeChat', async () => {
    const { url } = await requestsOf('wechat', [], { platformType: 'WebsiteApp' })
    expect(url.origin + url.pathname).toBe('https://open.weixin.qq.com/connect/qrconnect')
    expect(url.searchParams.get('scope')).toBe('snsapi_login')
  })

  it('OI-13 OI-16 does not treat a failed response as a user, and follows no redirect', async () => {
    const provider = { ...Trakt(), clientId: 'CID' }
    const answers = [Response.json({ name: 'Eve' }, { status: 500 }), new Response('<html>')]
    for (const answer of answers) {
      const inits: (RequestInit | undefined)[] = []
      const send: typeof fetch = async (_, init) => {
        inits.push(init)
        return answer
      }
      const asked = requestUser(
        { ...provider, [customFetch]: send } as never,
        'https://api.trakt.tv/users/me',
        {},
      )
      await expect(asked).rejects.toThrow(answer.ok ? 'JSON' : 'Trakt responded with 500 for the user')
      expect(inits).toEqual([{ redirect: 'manual' }])
    }
  })

  it('PRV-026 DEC-10a uses the configured fetch', async () => {
    const server = await stageOf(factOf('bungie'))
    const asked: string[] = []
    const own: typeof fetch = (input, init) => {
      asked.push(new URL(new Request(input).url).pathname)
      return server.context.platform.fetch(input, init)
    }
    const stage = await stageOf(factOf('bungie'), undefined, { [customFetch]: own })
    admitted(await signIn(stage))
    expect(stage.sent).toEqual([])
    expect(asked).toEqual(['/platform/app/oauth/token/', '/platform/User/GetBungieAccount/4611/254/'])
  })
})
