import { join } from 'node:path'
import type { NextConfig } from 'next'

const top = join(import.meta.dirname, '..')

const config: NextConfig = { turbopack: { root: top }, outputFileTracingRoot: top }
export default config
