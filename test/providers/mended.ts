/**
 * Where a preset asks elsewhere, or for something else, than the ecosystem's does, because that one does not work or is
 * out of date at the provider.
 */
export const mended: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  // The token endpoint of the documentation; the ecosystem has the authorization endpoint in its place.
  'azure-devops': { token: 'https://app.vssps.visualstudio.com/oauth2/token' },
  // Names the member of the token response, where the ecosystem sends a placeholder.
  bungie: { userinfo: undefined },
  dribbble: { authorizationParams: { scope: 'public' } },
  // Its parameters carry the token.
  foursquare: { userinfo: undefined, userinfoParams: undefined },
  freshbooks: { authorizationParams: { scope: 'user:profile:read' } },
  // The interface that the ecosystem asks ended in December 2024.
  instagram: {
    authorization: 'https://www.instagram.com/oauth/authorize',
    authorizationParams: { scope: 'instagram_business_basic' },
    userinfoParams: { fields: 'id,username,account_type,name,profile_picture_url' },
  },
  // The ecosystem has none.
  netsuite: { userinfo: 'https://1234567-sb1.restlets.example/user' },
  notion: { userinfo: 'https://api.notion.com/v1/users/me' },
  // The ecosystem has none that passes its own check.
  todoist: { userinfo: 'https://api.todoist.com/api/v1/user' },
  vk: { userinfoParams: undefined },
  wechat: { tokenParams: undefined },
}

/** Their documentation has no parameter `scope`, or leaves scopes to the console. */
export const scopeless: readonly string[] = [
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
