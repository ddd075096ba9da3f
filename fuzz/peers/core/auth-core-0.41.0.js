import { Auth } from '@auth/core-0.41.0'
import { decode, encode, getToken } from '@auth/core-0.41.0/jwt'
import Passkey from '@auth/core-0.41.0/providers/passkey'

/** The published library, as it is. */
export default {
  name: '@auth/core@0.41.0',
  capabilities: [],
  open: (config) => (request) => Auth(request, config),
  passkey: (options) => Passkey(options),
  tokens: { encode, decode, getToken },
}
