import node from '@astrojs/node'
import auth from 'auth-astro'
import { defineConfig } from 'astro/config'

export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  integrations: [auth()],
  // Without it Astro assumes http://localhost without a port, and rejects every form as cross-site.
  security: { allowedDomains: [{ protocol: 'http', hostname: 'localhost' }] },
})
