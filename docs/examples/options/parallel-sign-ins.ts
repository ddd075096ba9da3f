import { createAuth, type AuthInstance } from '../../../src/index.ts'
import GitHub from '../../../src/providers/github.ts'

export const auth: AuthInstance = createAuth({ providers: [GitHub], parallelSignIns: true })
