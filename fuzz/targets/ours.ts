import { Auth } from '../../src/index.ts'
import type { AuthConfig } from '../../src/types.ts'
import { decode, encode, getToken } from '../../src/jwt.ts'
import Passkey from '../../src/providers/passkey.ts'
import type { LibraryTarget, TokenFunctions } from './target.ts'

/** This library. */
const ours: LibraryTarget = {
  name: 'ours',
  capabilities: ['canonical-url', 'confirm-page'],
  open(config, env) {
    Object.assign(process.env, env)
    return async (request) => Auth(request, config as unknown as AuthConfig) as Promise<Response>
  },
  passkey: (options) => Passkey(options),
  tokens: { encode, decode, getToken } as unknown as TokenFunctions,
}

export default ours
