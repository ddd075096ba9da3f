/** The example applications, each with what its tests do to it before they run. */
export interface App {
  readonly name: string
  /** What is run in its directory, in turn, by npm or from its own packages. */
  readonly steps: readonly (readonly [command: string, ...args: string[]])[]
  /** What serves it; none where compiling it is the whole test. */
  readonly serve?: readonly string[]
}

const check = ['tsc', '-p', '.'] as const
const build = ['npm', 'run', '--silent', 'build'] as const

export const apps: readonly App[] = [
  { name: 'hono', steps: [check], serve: ['main.ts'] },
  { name: 'express', steps: [check], serve: ['main.ts'] },
  { name: 'fastify', steps: [check], serve: ['main.ts'] },
  { name: 'playwright', steps: [check] },
  { name: 'qwik', steps: [build, check], serve: ['server/entry.node-server.js'] },
  { name: 'solid-start', steps: [build, check], serve: ['server.ts'] },
  // Building these takes longer than all others together.
  { name: 'next', steps: [check] },
  { name: 'sveltekit', steps: [['npm', 'run', '--silent', 'check']] },
]
