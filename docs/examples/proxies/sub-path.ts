import { createAuth } from 'authmachine'
import GitHub from 'authmachine/providers/github'

/** The application is at `https://example.com/shop/`, and other applications are beside it. */
export const auth = createAuth({
  basePath: '/shop/auth',
  providers: [GitHub],
  callbacks: {
    redirect({ url, baseUrl }) {
      const { origin, pathname, href } = new URL(url, baseUrl)
      return origin === baseUrl && pathname.startsWith('/shop/') ? href : `${baseUrl}/shop/`
    },
  },
})
