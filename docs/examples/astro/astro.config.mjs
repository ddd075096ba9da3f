import node from '@astrojs/node'
import { defineConfig } from 'astro/config'

const { hostname } = new URL(process.env.AUTH_URL ?? 'http://localhost:3000')

export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  // Astro believes Host and X-Forwarded-Proto only for this host. It otherwise assumes localhost, and rejects every form
  // of the public site as cross-site.
  security: { allowedDomains: [{ hostname }] },
})
