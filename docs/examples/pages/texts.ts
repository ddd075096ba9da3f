import { createAuth } from 'authmachine'
import GitHub from 'authmachine/providers/github'

export const auth = createAuth({
  providers: [GitHub],
  // Omit `locale` to let each browser choose.
  locale: 'de',
  texts: {
    de: { signIn: 'Willkommen zurück', signInWith: 'Weiter mit {name}' },
  },
})
