import type { ProviderName } from '../../world/people.ts'
import type { Description } from './description.ts'

/**
 * Describes the routes of Auth.js, so that an application with these routes needs no description.
 *
 * @param ids the application's ids of the oracle's providers
 */
export function describeWire(basePath: string, ids: ReadonlyMap<ProviderName, string>): Description {
  const mail = ids.get('mail')
  return {
    providers: Object.fromEntries(ids),
    signIn: { url: `${basePath}/signin/{provider}`, fields: { callbackUrl: '{returnTo}' } },
    callback: `${basePath}/callback/{provider}`,
    session: { url: `${basePath}/session`, user: 'user.email' },
    signOut: { url: `${basePath}/signout`, fields: { callbackUrl: '{returnTo}' } },
    ...(mail !== undefined && {
      mail: {
        url: `${basePath}/signin/${mail}`,
        fields: { email: '{address}', callbackUrl: '{returnTo}' },
        link: `${basePath}/callback/${mail}`,
      },
    }),
    csrf: { from: `${basePath}/csrf`, json: 'csrfToken', field: 'csrfToken' },
  }
}
