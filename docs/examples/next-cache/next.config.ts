import { join } from 'node:path'
import type { NextConfig } from 'next'

const config: NextConfig = {
  cacheComponents: true,
  partialPrefetching: true,
  // The top of the repository, because the packages are those of `../next`.
  turbopack: { root: join(import.meta.dirname, '../../..') },
}

export default config
