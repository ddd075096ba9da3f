/** The journeys of a browser through an application, as the table in docs/guides/migrate.md describes them. */
export const journeys = {
  pages: 'sign-in by OpenID Connect and by credentials, and sign-out, on the built-in pages',
  forms: 'the same from forms of the application, with its server-side `signIn` and `signOut`',
  client: 'the same from its client, in the browser',
  components: 'its sign-in and sign-out components',
  actions: 'sign-in by OpenID Connect and sign-out from forms of the application, with JavaScript',
  guard: 'a protected page',
  api: 'a protected API route',
  update: 'a change of the session by `useSession().update`',
  edge: 'a page that `middleware.ts` protects on the edge runtime',
  passkeys: 'registration of passkeys and sign-in with them, by `next-auth/webauthn`',
} as const

export type Journey = keyof typeof journeys

type Command = readonly [command: string, ...args: string[]]

/** An application on a published Auth.js integration, installed with this library in place of `@auth/core`. */
export interface Dropin {
  /** Its folder. */
  readonly name: string
  /** The published package. */
  readonly integration: string
  /** The package of its framework. */
  readonly framework: string
  /** The journeys that the tests drive. The table in docs/guides/migrate.md lists them. */
  readonly driven: readonly Journey[]
  /** Commands that build it, in order, from its own packages or ours. */
  readonly build?: readonly Command[]
  /** Compiles it against the types of the integration and of this library. */
  readonly check: Command
  /** The arguments with which Node serves it. */
  readonly serve: readonly string[]
  readonly basePath: string
  /** The path to which the forms on its first page redirect after a sign-in, if it has any. */
  readonly home?: string
}

export const dropins: readonly Dropin[] = [
  {
    name: 'express',
    integration: '@auth/express',
    framework: 'express',
    driven: ['pages', 'guard'],
    check: ['tsc', '-p', '.'],
    serve: ['main.ts'],
    basePath: '/api/auth',
  },
  {
    name: 'sveltekit',
    integration: '@auth/sveltekit',
    framework: '@sveltejs/kit',
    driven: ['pages', 'forms', 'client', 'components', 'guard'],
    build: [['vite', 'build']],
    check: ['svelte-check', '--threshold', 'error'],
    serve: ['main.js'],
    basePath: '/auth',
    home: '/',
  },
  {
    name: 'next',
    integration: 'next-auth',
    framework: 'next',
    driven: ['pages', 'forms', 'client', 'update', 'guard'],
    build: [['next', 'build']],
    check: ['tsc', '-p', 'types'],
    serve: ['node_modules/next/dist/bin/next', 'start'],
    basePath: '/api/auth',
    home: '/members',
  },
  {
    name: 'astro',
    integration: 'auth-astro',
    framework: 'astro',
    driven: ['pages', 'client', 'components', 'guard'],
    build: [['astro', 'build']],
    check: ['astro', 'check'],
    serve: ['dist/server/entry.mjs'],
    basePath: '/api/auth',
  },
  {
    name: 'qwik',
    integration: '@auth/qwik',
    framework: '@builder.io/qwik-city',
    // Without JavaScript @auth/qwik 0.9.1 responds to a form with 200 and a location, and without an error, as it does
    // with @auth/core.
    driven: ['pages', 'actions', 'guard'],
    build: [
      ['vite', 'build'],
      ['vite', 'build', '-c', 'adapters/node-server/vite.config.ts'],
    ],
    check: ['tsc', '-p', '.'],
    serve: ['server/entry.node-server.js'],
    basePath: '/auth',
    home: '/members/',
  },
  {
    name: 'hono',
    integration: '@hono/auth-js',
    framework: 'hono',
    driven: ['pages', 'client', 'update', 'guard', 'api'],
    build: [['vite', 'build', 'client']],
    check: ['tsc', '-p', '.'],
    serve: ['main.ts'],
    basePath: '/api/auth',
  },
  {
    name: 'authey',
    integration: 'authey',
    framework: 'express',
    driven: ['pages', 'guard'],
    check: ['tsc', '-p', '.'],
    serve: ['main.ts'],
    basePath: '/api/auth',
  },
  {
    name: 'next-edge',
    integration: 'next-auth',
    framework: 'next',
    driven: ['pages', 'forms', 'client', 'update', 'guard', 'edge', 'passkeys'],
    // The second is the same application with `authmachine/edge` in its middleware.
    build: [
      ['next', 'build'],
      ['next', 'build', 'own'],
    ],
    check: ['tsc', '-p', '.'],
    serve: ['node_modules/next/dist/bin/next', 'start'],
    basePath: '/api/auth',
    home: '/members',
  },
]

/** @throws Error when there is no such application */
export function findDropin(name: string): Dropin {
  const dropin = dropins.find((each) => each.name === name)
  if (!dropin) throw new Error(`Unknown application ${name}`)
  return dropin
}
