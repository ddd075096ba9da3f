import type { NextConfig } from 'next'

const config: NextConfig = {
  // The folder has its own lock file: it is the whole application.
  turbopack: { root: import.meta.dirname },
  outputFileTracingRoot: import.meta.dirname,
}
export default config
