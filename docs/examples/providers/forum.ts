import type { OAuth2Config } from '../../../src/providers.ts'

interface Member {
  readonly member_id: number
  readonly nick: string
}

export const forum: OAuth2Config<Member> = {
  id: 'forum',
  name: 'The forum',
  type: 'oauth',
  authorization: { url: 'https://forum.example/oauth/authorize', params: { scope: 'member' } },
  token: 'https://forum.example/oauth/token',
  userinfo: 'https://forum.example/api/me',
  profile: ({ member_id, nick }) => ({ id: String(member_id), name: nick }),
}
