import node from '@astrojs/node'
import { defineConfig } from 'astro/config'

const { hostname } = new URL(process.env.AUTH_URL ?? 'http://localhost:3000')

export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  // Astro accepts forms from this host only. Without it, Astro assumes http://localhost without a port.
  security: { allowedDomains: [{ hostname }] },
})
