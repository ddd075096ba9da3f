/**
 * The rules for following the commands of a guide. A command that has no rule and does not start with one of `plain`
 * fails the test: add a rule that says how to follow it, or why it is not run.
 */
export interface Rule {
  /** The command starts a server: the path to request, and a text in the response. */
  readonly serves?: { readonly path: string; readonly answer: string }
  /** The variables that the reader adds to `.env.local` after the command, as the guide says. */
  readonly variables?: string
  /** The reason why the command is not run here. */
  readonly notRun?: string
}

/** Commands that run unchanged and must succeed. */
const plain = [
  'npm init ',
  'npm pkg ',
  'npm install ',
  'npm run build -- --pack',
  'npx authmachine-conformance ours ',
  'npx authmachine-conformance ./mine.js ',
  'npx authmachine-conformance explore ours ',
  'npx authmachine-conformance init ',
  'npx authmachine flows ',
  'cd ',
  'cp ',
  'export ',
]

/** Already done in the clone, which uses the packages of this checkout. */
export const install = 'npm ci && '

const variables = [
  'AUTH_GITHUB_ID=id\nAUTH_GITHUB_SECRET=secret\n',
  'AUTH_DEMO_ISSUER=https://id.example.com\nAUTH_DEMO_ID=...\nAUTH_DEMO_SECRET=...\n',
].join('')
const signInPage = { path: '/auth/signin', answer: 'GitHub' }
const demoPage = { path: '/auth/signin', answer: 'Demo ID' }
const inBrowser = 'npm run test:integrations builds the example, serves it and drives it in a browser'
const creates = 'it installs the latest version of a framework; the pinned example is tested instead'
const inNpmTest = 'npm test runs it'
const needsDatabase = 'npm test runs it, on each database'
const needsProvider = 'npm run conformance:apps runs it, with the ports and programs of the guide'

const rules: Readonly<Record<string, Rule>> = {
  'npm start': { serves: demoPage },
  'node --env-file=.env.local main.js': { serves: demoPage },
  'set -a && . ./.env.local && set +a': {},
  'npx sv create my-sveltekit-app && cd my-sveltekit-app': { notRun: creates },
  'npx create-next-app@latest my-next-app --yes && cd my-next-app': { notRun: creates },
  'npm run dev': { notRun: inBrowser },
  'npm run dev -- --port 3000': { notRun: inBrowser },
  'npm run build && npm start': { notRun: inBrowser },
  'npm test': { notRun: 'it would run itself' },
  'npx authmachine secret --write .env.local': { variables },
  'npx authmachine doctor auth.js': {},
  'npx authmachine doctor auth.ts': { notRun: inNpmTest },
  'npx authmachine migrate src/db.ts': { notRun: needsDatabase },
  'npx authmachine migrate src/db.ts --dry-run': { notRun: needsDatabase },
  'npx authmachine migrate src/db.ts --yes': { notRun: needsDatabase },
  'node --env-file=.env.local server.js': { serves: signInPage },
  'node --env-file=.env.local server.mjs': { serves: signInPage },
  'node --test': {},
  'node idp.mjs': { notRun: inNpmTest },
  'npx authmachine-conformance http://localhost:4800 --target target.json': { notRun: needsProvider },
  'npx authmachine-conformance http://localhost:4800 --target target.json --describe': {
    notRun: needsProvider,
  },
  'npx authmachine-conformance http://localhost:3000/auth': { notRun: needsProvider },
  'npx authmachine-conformance http://localhost:3000/auth --wait 60s --report html,junit,sarif': {
    notRun: needsProvider,
  },
  'npx authmachine-conformance world': { notRun: inNpmTest },
  'npx authmachine-conformance ./target.ts': { notRun: inNpmTest },
  'npx authmachine-conformance explore ./mine.js': { notRun: 'the target of the guide breaks a rule' },
  'npm start -- --issuer http://127.0.0.1:4010 --client-id client-at-alpha --client-secret secret-at-alpha-0123456789 --smtp smtp://127.0.0.1:4013':
    { notRun: needsProvider },
  'npm run conformance -- ours': { notRun: inNpmTest },
  'npm run conformance -- http://localhost:3000/auth': { notRun: needsProvider },
}

/** @throws Error when the command has no rule */
export function findRule(guide: string, line: string): Rule {
  const rule = rules[line] ?? (plain.some((start) => line.startsWith(start)) ? {} : undefined)
  if (!rule) throw new Error(`${guide} contains ${line}: add a rule for it to test/follow/rules.ts`)
  return rule
}
