import { Auth, setEnvDefaults } from '@auth/core'
import { decode, encode, getToken } from '@auth/core/jwt'
import Apple from '@auth/core/providers/apple'
import GitHub from '@auth/core/providers/github'
import Google from '@auth/core/providers/google'
import MicrosoftEntraID from '@auth/core/providers/microsoft-entra-id'
import Passkey from '@auth/core/providers/passkey'

/** The published library, unmodified. */
export default {
  name: '@auth/core@0.41.3',
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
