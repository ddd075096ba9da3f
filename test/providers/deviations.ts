/** Deliberate differences from the ecosystem's presets, where those do not work or are outdated at the provider. */
export const deviations: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  // The documented token endpoint. The ecosystem uses the authorization endpoint instead.
  'azure-devops': { token: 'https://app.vssps.visualstudio.com/oauth2/token' },
  // Names the member of the token response. The ecosystem sends a placeholder.
  bungie: { userinfo: undefined },
  dribbble: { authorizationParams: { scope: 'public' } },
  // Its parameters contain the token.
  foursquare: { userinfo: undefined, userinfoParams: undefined },
  freshbooks: { authorizationParams: { scope: 'user:profile:read' } },
  // The API that the ecosystem uses was shut down in December 2024.
  instagram: {
    authorization: 'https://www.instagram.com/oauth/authorize',
    authorizationParams: { scope: 'instagram_business_basic' },
    userinfoParams: { fields: 'id,username,account_type,name,profile_picture_url' },
  },
  // The ecosystem's preset lacks it.
  netsuite: { userinfo: 'https://1234567-sb1.restlets.example/user' },
  notion: { userinfo: 'https://api.notion.com/v1/users/me' },
  // The ecosystem has none that passes its own check.
  todoist: { userinfo: 'https://api.todoist.com/api/v1/user' },
  vk: { userinfoParams: undefined },
  wechat: { tokenParams: undefined },
}

/** Providers whose documentation has no `scope` parameter, or configures scopes in the console. */
export const withoutScopes: readonly string[] = [
  'box',
  'boxyhq-saml',
  'bungie',
  'click-up',
  'foursquare',
  'kakao',
  'mailchimp',
  'mattermost',
  'naver',
  'netlify',
  'nextcloud',
  'notion',
  'osso',
  'pipedrive',
  'trakt',
  'wikimedia',
  'workos',
  'zoom',
]
