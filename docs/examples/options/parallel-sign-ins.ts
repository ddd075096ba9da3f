import { createAuth } from '../../../src/index.ts'
import GitHub from '../../../src/providers/github.ts'

export const auth = createAuth({ providers: [GitHub], parallelSignIns: true })
