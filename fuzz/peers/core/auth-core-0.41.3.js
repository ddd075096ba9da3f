import { Auth } from '@auth/core'
import { decode, encode, getToken } from '@auth/core/jwt'
import Passkey from '@auth/core/providers/passkey'

/** The published library, as it is. */
export default {
  name: '@auth/core@0.41.3',
  capabilities: [],
  open: (config) => (request) => Auth(request, config),
  passkey: (options) => Passkey(options),
  tokens: { encode, decode, getToken },
}
