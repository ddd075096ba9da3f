import type { Adapter } from '../../../src/adapters.ts'
import { memoryAdapter } from '../../../src/adapters/memory.ts'
import type { Provider } from '../../../src/providers.ts'
import GitHub from '../../../src/providers/github.ts'
import GitLab from '../../../src/providers/gitlab.ts'

export interface Tenant {
  /** At least 32 random bytes, different for each tenant. */
  readonly secret: string
  readonly providers: readonly Provider[]
  /** A separate store for each tenant. */
  readonly adapter: Adapter
}

/** Replace this with a query of your database, and the memory adapters with one database for each tenant. */
const tenants = new Map<string, Tenant>([
  [
    'acme.example.com',
    {
      secret: process.env['ACME_SECRET'] ?? '',
      providers: [GitHub({ clientId: 'acme', clientSecret: process.env['ACME_GITHUB_SECRET'] })],
      adapter: memoryAdapter(),
    },
  ],
  [
    'globex.example.com',
    {
      secret: process.env['GLOBEX_SECRET'] ?? '',
      providers: [GitLab({ clientId: 'globex', clientSecret: process.env['GLOBEX_GITLAB_SECRET'] })],
      adapter: memoryAdapter(),
    },
  ],
])

export function findTenant(host: string): Promise<Tenant | undefined> {
  return Promise.resolve(tenants.get(host))
}
