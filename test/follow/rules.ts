/**
 * What following a guide means for its commands. A command that is not here, and does not start with one of `plain`, fails:
 * whoever adds one to a guide says how it is followed, or why it is not.
 */
export interface Rule {
  /** The command starts a server: the path to request, and what the answer contains. */
  readonly serves?: { readonly path: string; readonly answer: string }
  /** What the reader writes into `.env.local` after the command, as the guide says. */
  readonly variables?: string
  /** Why the command is not run here. */
  readonly notRun?: string
}

/** Commands that are run as they are, and have to succeed. */
const plain = [
  'npm init ',
  'npm pkg ',
  'npm install ',
  'npm run tarballs',
  'npx authmachine-conformance ours ',
  'npx authmachine-conformance ./mine.js ',
  'cd ',
  'cp ',
  'export ',
]

/** In the clone, this is done before: the packages are those of this checkout. */
export const install = 'npm ci && '

const github = 'AUTH_GITHUB_ID=id\nAUTH_GITHUB_SECRET=secret\n'
const signInPage = { path: '/auth/signin', answer: 'GitHub' }
const inNpmTest = 'npm test does so'
const needsProvider = 'npm run conformance:apps does so, with the ports and programs of the guide'

const rules: Readonly<Record<string, Rule>> = {
  'npm start': { serves: { path: '/auth/signin', answer: 'Demo ID' } },
  'npm test': { notRun: 'it would run itself' },
  'npx authmachine secret --write .env.local': { variables: github },
  'npx authmachine doctor auth.js': {},
  'node --env-file=.env.local server.js': { serves: signInPage },
  'node --env-file=.env.local server.mjs': { serves: signInPage },
  'node --test': {},
  'npx authmachine-conformance http://localhost:3000/auth': { notRun: needsProvider },
  'npm start -- --issuer http://127.0.0.1:4010 --client-id client-at-alpha --client-secret secret-at-alpha-0123456789 --smtp smtp://127.0.0.1:4013':
    { notRun: needsProvider },
  'npm run conformance -- ours': { notRun: inNpmTest },
  'npm run conformance -- http://localhost:3000/auth': { notRun: needsProvider },
}

/** Guides whose commands are run elsewhere. */
export const followedElsewhere: Readonly<Record<string, string>> = {
  'docs/guides/devtools.md':
    'the commands of the oracle are run by test:package and by the unit tests of the command line',
}

/** @throws Error when nobody has said how the command is followed */
export function findRule(guide: string, line: string): Rule {
  const rule = rules[line] ?? (plain.some((start) => line.startsWith(start)) ? {} : undefined)
  if (!rule) throw new Error(`${guide} says ${line}: add how it is followed to test/follow/rules.ts`)
  return rule
}
