import node from '@astrojs/node'
import auth from 'auth-astro'
import { defineConfig } from 'astro/config'

export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  integrations: [auth()],
  // Without it Astro takes itself to be at http://localhost, without a port, and refuses every form as cross-site.
  security: { allowedDomains: [{ protocol: 'http', hostname: 'localhost' }] },
})
