/** What a browser does at an application, in the words of the table in docs/guides/migrate.md. */
export const journeys = {
  pages: 'sign-in by OpenID Connect and by credentials, and sign-out, on the built-in pages',
  forms: 'the same from forms of the application, with its `signIn` and `signOut`',
  guard: 'a protected page',
} as const

export type Journey = keyof typeof journeys

/** An application on a published integration of Auth.js, installed with this library in the place of `@auth/core`. */
export interface Dropin {
  /** The folder it is in. */
  readonly name: string
  /** The published package. */
  readonly integration: string
  /** The package of its framework. */
  readonly framework: string
  /** What the tests do with it. The table in docs/guides/migrate.md says so. */
  readonly driven: readonly Journey[]
  /** What is run in its folder, in turn, from its own packages or ours. */
  readonly steps: readonly (readonly [command: string, ...args: string[]])[]
  /** What Node runs to serve it. */
  readonly serve: readonly string[]
  readonly basePath: string
  /** Where the forms on its own first page lead after a sign-in, if it has any. */
  readonly home?: string
}

const compile = ['tsc', '-p', 'types'] as const

export const dropins: readonly Dropin[] = [
  {
    name: 'express',
    integration: '@auth/express',
    framework: 'express',
    driven: ['pages'],
    steps: [compile],
    serve: ['app.js'],
    basePath: '/api/auth',
  },
  {
    name: 'sveltekit',
    integration: '@auth/sveltekit',
    framework: '@sveltejs/kit',
    driven: ['pages', 'forms'],
    steps: [['vite', 'build']],
    serve: ['main.js'],
    basePath: '/auth',
    home: '/',
  },
  {
    name: 'next',
    integration: 'next-auth',
    framework: 'next',
    driven: ['pages', 'forms', 'guard'],
    steps: [['next', 'build'], compile],
    serve: ['main.js'],
    basePath: '/api/auth',
    home: '/members',
  },
]
