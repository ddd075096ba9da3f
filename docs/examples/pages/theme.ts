import { createAuth } from '../../../src/index.ts'
import GitHub from '../../../src/providers/github.ts'

export const auth = createAuth({
  providers: [GitHub],
  theme: { colorScheme: 'auto', brandColor: '#0f766e', buttonText: '#ffffff', logo: '/logo.svg' },
})
