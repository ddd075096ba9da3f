import { createAuth } from '../../../src/index.ts'
import GitHub from '../../../src/providers/github.ts'

export const auth = createAuth({
  providers: [GitHub],
  pages: { signIn: '/login' },
  callbacks: {
    /** Allows redirects to your other site, too. Without this callback, only your own origin is allowed. */
    redirect({ url, baseUrl }) {
      const { origin } = new URL(url, baseUrl)
      return [baseUrl, 'https://shop.example.com'].includes(origin) ? url : baseUrl
    },
  },
})
