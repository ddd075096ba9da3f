import type { CredentialInput, CredentialsConfig, GivenId, Identified } from '../types/provider.ts'

export type { CredentialInput, CredentialsConfig, CredentialsProviderId } from '../types/provider.ts'

/** The options of {@link Credentials}. */
export interface CredentialsOptions<
  Inputs extends Record<string, CredentialInput> = Record<string, CredentialInput>,
>
  extends
    Partial<Omit<CredentialsConfig<Inputs>, 'options' | 'type' | 'authorize'>>,
    Pick<CredentialsConfig<Inputs>, 'authorize'> {}

/**
 * Signs users in with your own check in `authorize`: of a password, a code, or a token of an older system. Rate limits,
 * hashing and password resets are your responsibility.
 *
 * Options: `credentials` (the fields of the sign-in form, as attributes of HTML inputs) and `authorize`. `authorize`
 * returns the user, who needs an `id`, or null to refuse the sign-in. It may throw `CredentialsSignin`. Validate its
 * input, which the browser can choose freely.
 *
 * @example Credentials({ credentials: { pin: { label: 'PIN', type: 'password' } }, authorize: ({ pin }) =>
 * findUser(pin) })
 */
export default function Credentials<
  const Inputs extends Record<string, CredentialInput>,
  const Id extends GivenId = GivenId,
>(options: CredentialsOptions<Inputs> & { id?: Id }): Identified<CredentialsConfig, 'credentials', Id>
export default function Credentials(options?: CredentialsOptions): object {
  return { id: 'credentials', name: 'Credentials', type: 'credentials', credentials: {}, options }
}
