import type { Setup } from '../../targets/setup.ts'

/** Applications whose provider posts its response. */
export const formPost: Setup = {
  provider: {
    alpha: {
      checks: ['state', 'nonce'],
      authorization: { params: { scope: 'openid profile email', response_mode: 'form_post' } },
    },
    plain: { checks: ['state'] },
  },
  providers: ['alpha', 'beta', 'plain'],
}

/** The response mode is a parameter of the endpoint's URL. */
export const formPostByUrl: Setup = {
  ...formPost,
  provider: {
    ...formPost.provider,
    plain: {
      checks: ['state'],
      authorization: 'https://plain.example/authorize?scope=profile&response_mode=form_post',
    },
  },
}
