import { createAuth } from '../../../src/index.ts'
import GitHub from '../../../src/providers/github.ts'

/** The previews of this site: `https://feature-1.preview.example.com`. */
export function isPreview(origin: string): boolean {
  return /^https:\/\/[a-z0-9-]+\.preview\.example\.com$/.test(origin)
}

export const auth = createAuth({
  providers: [GitHub],
  redirectProxyUrl: 'https://example.com/auth',
  redirectProxy: { allow: isPreview },
})
