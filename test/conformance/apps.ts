import { fileURLToPath } from 'node:url'

const place = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** An application that `npm run conformance:apps` starts. */
export interface App {
  readonly word: string
  readonly name: string
  /** The arguments of Node. */
  readonly command: readonly string[]
  /** A file without which the application is not installed. */
  readonly wants: string
}

/** Lists the applications, configured for an oracle whose four ports start at this one. */
export function listApps(port: number): App[] {
  return [
    {
      word: 'demo',
      name: 'the demo',
      command: [
        place('docs/examples/demo/main.ts'),
        '--port=0',
        `--issuer=http://127.0.0.1:${port}`,
        '--client-id=client-at-alpha',
        '--client-secret=secret-at-alpha-0123456789',
        `--smtp=smtp://127.0.0.1:${port + 3}`,
      ],
      wants: place('node_modules'),
    },
  ]
}
