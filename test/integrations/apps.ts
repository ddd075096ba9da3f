/** An application, and how to prepare and run it. */
export interface App {
  readonly name: string
  /** Its folder, relative to the top of the repository. */
  readonly directory: string
  /** The output folder of `npm run build`; undefined without a build. */
  readonly output?: string
  /** Further folders that the build writes. */
  readonly alsoWrites?: readonly string[]
  /** Compiles it against the types of its framework; undefined if the build does. */
  readonly check?: Command
  /** Serves it; undefined if its own tests do. */
  readonly serve?: readonly string[]
  /** @default '/auth' */
  readonly basePath?: string
  /** The route of a gate that holds every sign-in. */
  readonly gate?: string
  /** The paths of its pages that are not the library's. @default ['/', '/members'] */
  readonly pages?: readonly string[]
  /** The environment behind a proxy, and the headers that the proxy sends. */
  readonly proxy?: {
    readonly environment: Readonly<Record<string, string>>
    readonly headers: Readonly<Record<string, string>>
  }
  /** A variant of another application. */
  readonly madeOf?: Change
}

/** The difference of a variant: other packages, changed files, or an additional file. */
export interface Change {
  readonly app: string
  /** Whose packages it uses. @default those of the other application */
  readonly packages?: typeof older.name
  readonly edits?: readonly Edit[]
  /** The path of a file that is copied into its folder. */
  readonly adds?: string
}

interface Edit {
  readonly file: string
  readonly find: string
  readonly replace: string
}

export type Command = readonly [command: string, ...args: string[]]

const compile: Command = ['tsc', '-p', '.']
const example = (name: string) => ({ name, directory: `docs/examples/${name}` })
const variant = (name: string) => ({ name, directory: `.cache/integrations/${name}` })

/** The additional file and the edits with which a gate holds every sign-in. */
const notice = 'test/support/visitors/notice.ts'
const addNotice = (file: string): readonly Edit[] => [
  {
    file,
    find: "import Credentials from 'authmachine/providers/credentials'",
    replace: `$&\nimport { notice } from './notice.ts'`,
  },
  { file, find: 'createAuth({', replace: '$&\n  features: [notice],' },
]

/** Earlier major versions of frameworks that many applications use. */
export const older = { name: 'older', directory: 'test/integrations/older' } as const

/** Slowest first. */
export const apps: readonly App[] = [
  {
    ...example('next'),
    output: '.next',
    serve: ['node_modules/next/dist/bin/next', 'start'],
    basePath: '/api/auth',
    pages: ['/', '/members', '/login', '/api/profile'],
  },
  {
    ...variant('next-cache'),
    madeOf: {
      app: 'next',
      edits: [
        {
          file: 'next.config.ts',
          find: 'root: import.meta.dirname }',
          // The root is that of the repository, because the packages are in the folder of the other application.
          replace: `root: new URL('../../..', import.meta.url).pathname },
            cacheComponents: true, partialPrefetching: true`,
        },
      ],
    },
    output: '.next',
    serve: ['node_modules/next/dist/bin/next', 'start'],
    basePath: '/api/auth',
    pages: ['/', '/members', '/login', '/api/profile'],
  },
  {
    ...example('qwik'),
    output: 'dist',
    alsoWrites: ['server'],
    check: compile,
    serve: ['server/entry.node-server.js'],
    pages: ['/', '/members/'],
  },
  {
    ...variant('qwik-alias'),
    madeOf: {
      app: 'qwik',
      edits: [{ file: 'src/routes/plugin@auth.ts', find: 'serverAuth$', replace: 'QwikAuth$' }],
    },
    output: 'dist',
    alsoWrites: ['server'],
    serve: ['server/entry.node-server.js'],
    pages: ['/', '/members/'],
  },
  {
    ...example('solid-start'),
    output: 'dist',
    check: compile,
    serve: ['server.js'],
    basePath: '/api/auth',
    pages: ['/', '/members', '/guarded'],
  },
  {
    ...example('sveltekit'),
    output: 'build',
    check: ['npm', 'run', '--silent', 'check'],
    serve: ['build'],
    // It otherwise assumes https, and rejects forms from an http page.
    proxy: {
      // Its own limit for bodies is below that of nginx.
      environment: { PROTOCOL_HEADER: 'x-forwarded-proto', BODY_SIZE_LIMIT: '1M' },
      headers: { 'x-forwarded-proto': 'http' },
    },
  },
  {
    ...example('nuxt'),
    output: '.output',
    check: ['npm', 'run', '--silent', 'check'],
    serve: ['.output/server/index.mjs'],
  },
  {
    ...example('astro'),
    output: 'dist',
    check: ['npm', 'run', '--silent', 'check'],
    serve: ['dist/server/entry.mjs'],
  },
  {
    ...example('react-router'),
    output: 'build',
    check: ['npm', 'run', '--silent', 'check'],
    serve: ['node_modules/@react-router/serve/dist/cli.js', 'build/server/index.js'],
  },
  { ...example('fastify'), check: compile, serve: ['main.js'] },
  { ...example('express'), check: compile, serve: ['main.js'] },
  { ...example('hono'), check: compile, serve: ['main.js'] },
  {
    ...variant('hono-gated'),
    madeOf: { app: 'hono', adds: notice, edits: addNotice('auth.js') },
    gate: '/notice',
    serve: ['main.js'],
  },
  { ...variant('express-4'), madeOf: { app: 'express', packages: 'older' }, serve: ['main.js'] },
  { ...variant('hono-node-server-1'), madeOf: { app: 'hono', packages: 'older' }, serve: ['main.js'] },
  { ...example('playwright'), check: compile },
]

/** Packages of a client, which is not a separate application. See next-auth.test.ts. */
export const nextAuth = { name: 'next-auth', directory: 'fuzz/peers/next-auth' } as const

/** An older React, besides that of this repository. See react.test.ts. */
export const react18 = { name: 'react-18', directory: 'test/react/react-18' } as const

/** @throws Error when there is no such application */
export function findApp(name: string): App {
  const app = apps.find((each) => each.name === name)
  if (!app) throw new Error(`Unknown application ${name}`)
  return app
}
