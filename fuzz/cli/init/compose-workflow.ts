import { existsSync, readFileSync } from 'node:fs'

/** What the workflow tests. */
export interface Tested {
  readonly url: string
  /** The description, if the application has custom routes. */
  readonly target?: string | undefined
  readonly port?: string | undefined
}

/** Composes a GitHub workflow that starts the application, tests it, and shows failures as alerts of the repository. */
export function composeWorkflow({ url, target, port }: Tested): string {
  const further = [
    ...(target === undefined ? [] : [`--target ${target}`]),
    ...(port === undefined ? [] : [`--port ${port}`]),
  ].join(' ')
  return `name: conformance
on: [push, pull_request]
permissions:
  contents: read
  security-events: write
jobs:
  conformance:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 24 }
      - run: npm ci
      # Start your application here, with the addresses of the oracle's providers.
      - run: ${findStart()} &
      - uses: ./node_modules/authmachine-conformance
        with:
          target: ${url}
          wait: 60s
${further === '' ? '' : `          arguments: ${further}\n`}      # Needs GitHub Code Security, or a public repository.
      - uses: github/codeql-action/upload-sarif@v4
        if: \${{ !cancelled() }}
        with: { sarif_file: conformance-report }
`
}

/** Returns the command that starts the application in this folder. */
function findStart(): string {
  const scripts = existsSync('package.json')
    ? (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts?: { readonly start?: string } }).scripts
    : undefined
  return scripts?.start === undefined ? './start-the-application' : 'npm start'
}
