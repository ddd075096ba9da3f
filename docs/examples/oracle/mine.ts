import { Auth, type AuthConfig } from '../../../src/index.ts'
import type { LibraryTarget } from '../../../fuzz/index.ts'

const target: LibraryTarget = {
  name: 'mine',
  capabilities: [],
  open: (config) => (request) => Auth(request, config as unknown as AuthConfig),
}
export default target
