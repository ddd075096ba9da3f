import { readFile } from 'node:fs/promises'
import { charts } from '../../../machines/by-id.ts'
import { graphOf } from '../../../machines/graph.ts'
import { requirements } from '../../../spec/index.ts'
import { loadEngine } from '../../../src/tools/cli/flows.ts'
import { memoryAdapter } from '../../../src/adapters/memory.ts'
import { createAuth } from '../../../src/instance/create-auth.ts'
import GitHub from '../../../src/providers/github.ts'
import Google from '../../../src/providers/google.ts'
import Nodemailer from '../../../src/providers/nodemailer.ts'
import { nameModules } from '../entry-points.ts'
import { type DrawnRun, drawRun, styleRuns } from './draw-run.ts'
import { recordSignIn } from './record-sign-in.ts'

/** The files of the landing page, by path in the stage. */
export async function fillLanding(): Promise<ReadonlyMap<string, string>> {
  const { runs, session } = await recordSignIn()
  const engine = await loadEngine()
  const drawn = await Promise.all(runs.map((run) => drawRun(run, engine)))
  const program = await readFile(new URL('../../examples/embed/auth.js', import.meta.url), 'utf8')
  const page = await readFile(new URL('index.md', import.meta.url), 'utf8')
  const slots: Readonly<Record<string, string>> = {
    style: JSON.stringify(styleRuns()),
    code: `\`\`\`js\n${nameModules(program).trim()}\n\`\`\``,
    runs: drawn.map(writeRun).join('\n'),
    session: escape(JSON.stringify(session, null, 1)),
    ...countFacts(),
  }
  return new Map([
    ['index.md', page.replaceAll(/\[\[(\w+)\]\]/g, (_, name: string) => slots[name] ?? fail(name))],
    ['public/sign-in-page.html', await renderSignInPage()],
  ])
}

/** The library's own sign-in page, rendered without options. */
async function renderSignInPage(): Promise<string> {
  const { handler } = createAuth({
    providers: [
      GitHub({ clientId: 'landing', clientSecret: 'landing' }),
      Google({ clientId: 'landing', clientSecret: 'landing' }),
      Nodemailer({ name: 'e-mail', server: 'smtp://localhost', from: 'sign-in@example.com' }),
    ],
    adapter: memoryAdapter(),
    secret: 'a secret of the landing page, which nobody uses',
    trustHost: true,
    logger: { warn() {}, debug() {} },
  })
  const response = await handler(new Request('https://app.example/auth/signin'))
  if (response.status !== 200) throw new Error(`The sign-in page has status ${response.status}`)
  return response.text()
}

function writeRun({ flow, svg, steps }: DrawnRun): string {
  return `<div class="run-flow" data-flow="${flow}" data-steps="${escape(JSON.stringify(steps))}">${svg}</div>`
}

function countFacts(): Readonly<Record<string, string>> {
  const graphs = Object.values(charts).map(graphOf)
  return {
    flows: String(graphs.length),
    edges: String(graphs.reduce((sum, { edges }) => sum + edges.length, 0)),
    requirements: String(requirements.length),
  }
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '&#123;&#123;')
}

function fail(name: string): never {
  throw new Error(`The landing page has no ${name}`)
}
