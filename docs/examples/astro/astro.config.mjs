import node from '@astrojs/node'
import { defineConfig } from 'astro/config'

const { hostname } = new URL(process.env.AUTH_URL ?? 'http://localhost:3000')

export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  // Astro trusts Host and X-Forwarded-Proto only for this host. For any other host, it assumes localhost, and its origin
  // check rejects all forms.
  security: { allowedDomains: [{ hostname }] },
})
