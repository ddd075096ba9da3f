/** An application on a published integration of Auth.js, installed with this library in the place of `@auth/core`. */
export interface Dropin {
  /** The folder it is in. */
  readonly name: string
  readonly integration: string
  /** What is run in its folder, in turn, from its own packages or ours. */
  readonly steps: readonly (readonly [command: string, ...args: string[]])[]
  /** What Node runs to serve it. */
  readonly serve: readonly string[]
  readonly basePath: string
  /** Where the forms on its own first page lead after a sign-in, if it has any; they sign in and out in raw mode. */
  readonly home?: string
}

const compile = ['tsc', '-p', 'types'] as const

export const dropins: readonly Dropin[] = [
  {
    name: 'express',
    integration: '@auth/express',
    steps: [compile],
    serve: ['app.js'],
    basePath: '/api/auth',
  },
  {
    name: 'sveltekit',
    integration: '@auth/sveltekit',
    steps: [['vite', 'build']],
    serve: ['main.js'],
    basePath: '/auth',
    home: '/',
  },
  {
    name: 'next',
    integration: 'next-auth',
    steps: [['next', 'build'], compile],
    serve: ['main.js'],
    basePath: '/api/auth',
    home: '/members',
  },
]
