import type { CredentialInput, CredentialsConfig } from '../types/provider.ts'

export type { CredentialInput, CredentialsConfig, CredentialsProviderId } from '../types/provider.ts'

type CredentialsOptions<Inputs extends Record<string, CredentialInput>> = Partial<
  Omit<CredentialsConfig<Inputs>, 'options' | 'type'>
>

/**
 * Sign in with whatever `authorize` checks: a password, a code, a token of an older system. Limiting attempts, hashing and
 * resetting passwords are yours.
 *
 * Options: `credentials` (the fields of the sign-in form, as attributes of HTML inputs) and `authorize`, which answers
 * the user, with an `id`, or null for a refusal, and may throw `CredentialsSignin`. What reaches it is what the browser
 * sent: check it. Without `authorize` everybody is refused.
 *
 * @example Credentials({ credentials: { pin: { label: 'PIN', type: 'password' } }, authorize: ({ pin }) => findUser(pin) })
 */
export default function Credentials<const Inputs extends Record<string, CredentialInput>>(
  options: CredentialsOptions<Inputs> = {},
): CredentialsConfig {
  return {
    id: 'credentials',
    name: 'Credentials',
    type: 'credentials',
    credentials: {},
    authorize: () => null,
    options,
  }
}
