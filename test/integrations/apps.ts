/** An application, and what is done to it before it runs. */
export interface App {
  readonly name: string
  /** Where it is, below the top of the repository. */
  readonly directory: string
  /** Where `npm run build` puts what it makes; none where nothing is built. */
  readonly output?: string
  /** What compiles it against the types of its framework; none where its build does. */
  readonly check?: Command
  /** What serves it; none where its own tests do. */
  readonly serve?: readonly string[]
  /** @default '/auth' */
  readonly basePath?: string
  /** What it is told of the proxy that it stands behind, and what that sends along. */
  readonly proxy?: {
    readonly environment: Readonly<Record<string, string>>
    readonly headers: Readonly<Record<string, string>>
  }
  /** Made of another one, whose packages it shares, by replacing a text. */
  readonly madeOf?: Change
}

export interface Change {
  readonly app: string
  readonly file: string
  readonly find: string
  readonly replace: string
}

export type Command = readonly [command: string, ...args: string[]]

const compile: Command = ['tsc', '-p', '.']
const example = (name: string) => ({ name, directory: `docs/examples/${name}` })

/** Those that take longest come first. */
export const apps: readonly App[] = [
  {
    ...example('next'),
    output: '.next',
    serve: ['node_modules/next/dist/bin/next', 'start'],
    basePath: '/api/auth',
  },
  { ...example('qwik'), output: 'dist', check: compile, serve: ['server/entry.node-server.js'] },
  {
    name: 'qwik-alias',
    directory: '.cache/integrations/qwik-alias',
    madeOf: { app: 'qwik', file: 'src/routes/plugin@auth.ts', find: 'serverAuth$', replace: 'QwikAuth$' },
    output: 'dist',
    serve: ['server/entry.node-server.js'],
  },
  {
    ...example('solid-start'),
    output: 'dist',
    check: compile,
    serve: ['server.js'],
    basePath: '/api/auth',
  },
  {
    ...example('sveltekit'),
    output: 'build',
    check: ['npm', 'run', '--silent', 'check'],
    serve: ['build'],
    // It takes itself to be at https otherwise, and refuses the forms of a page that is not.
    proxy: {
      environment: { PROTOCOL_HEADER: 'x-forwarded-proto' },
      headers: { 'x-forwarded-proto': 'http' },
    },
  },
  { ...example('fastify'), check: compile, serve: ['main.js'] },
  { ...example('express'), check: compile, serve: ['main.js'] },
  { ...example('hono'), check: compile, serve: ['main.js'] },
  { ...example('playwright'), check: compile },
]

/** Packages of a client, which is no application of its own; see next-auth.test.ts. */
export const nextAuth = { name: 'next-auth', directory: 'fuzz/peers/next-auth' } as const

/** @throws Error when there is none of that name */
export function findApp(name: string): App {
  const app = apps.find((each) => each.name === name)
  if (!app) throw new Error(`There is no application ${name}`)
  return app
}
