import type { NextConfig } from 'next'

const config: NextConfig = {
  // The folder has a lock file of its own: it is the whole application.
  turbopack: { root: import.meta.dirname },
  outputFileTracingRoot: import.meta.dirname,
}
export default config
