import type { memoryAdapter } from '../../../src/adapters/memory.ts'
import type { Auth, customFetch } from '../../../src/index.ts'
import type { decode, encode, getToken } from '../../../src/jwt.ts'
import type Passkey from '../../../src/providers/passkey.ts'

/** The exports that the suite uses, as a program imports them from the package. */
export interface Library {
  readonly Auth: typeof Auth
  readonly customFetch: typeof customFetch
  readonly decode: typeof decode
  readonly encode: typeof encode
  readonly getToken: typeof getToken
  readonly memoryAdapter: typeof memoryAdapter
  readonly Passkey: typeof Passkey
}
