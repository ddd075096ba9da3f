import type { Setup } from '../../targets/setup.ts'
import type { IdpUser } from '../../world/idp/contract.ts'
import { usersOf } from '../../world/people.ts'

/** Ada's mailbox, as an attacker's accounts claim it. */
export const victim = 'ada@mail.example'
export const dangerous = { allowDangerousEmailAccountLinking: true }

const appleUsers: readonly IdpUser[] = ['false', false, undefined].map((verdict, n) => ({
  sub: `impostor-${n}`,
  claims: { name: 'eve', email: victim, ...(verdict !== undefined && { email_verified: verdict }) },
}))
const apple = 'https://appleid.apple.com'
export const withApple: Setup = {
  preset: { alpha: 'apple' },
  provider: {
    alpha: {
      ...dangerous,
      // Apple sends an id_token whatever the scope; the simulated provider needs the scope.
      authorization: { params: { scope: 'openid name email', response_mode: 'form_post' } },
    },
  },
  idp: {
    alpha: {
      issuer: apple,
      users: [...appleUsers, ...usersOf('alpha')],
      clients: [
        { id: 'client-at-alpha', secret: 'secret-at-alpha-0123456789', method: 'client_secret_post' },
      ],
    },
  },
}
