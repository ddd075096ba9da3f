import { Auth, setEnvDefaults } from '@auth/core-0.41.0'
import { decode, encode, getToken } from '@auth/core-0.41.0/jwt'
import Apple from '@auth/core-0.41.0/providers/apple'
import GitHub from '@auth/core-0.41.0/providers/github'
import Google from '@auth/core-0.41.0/providers/google'
import MicrosoftEntraID from '@auth/core-0.41.0/providers/microsoft-entra-id'
import Passkey from '@auth/core-0.41.0/providers/passkey'

/** The published library, unmodified. */
export default {
  name: '@auth/core@0.41.0',
  capabilities: [],
  open(config) {
    // As its framework integrations do.
    setEnvDefaults(process.env, config)
    return (request) => Auth(request, config)
  },
  passkey: (options) => Passkey(options),
  presets: {
    apple: (options) => Apple(options),
    github: (options) => GitHub(options),
    google: (options) => Google(options),
    'microsoft-entra-id': (options) => MicrosoftEntraID(options),
  },
  tokens: { encode, decode, getToken },
}
