import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { AppProps } from './app.ts'
import { build, type InlineConfig, type Rolldown } from 'vite'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A page for one version of React: its script, and the function that renders it on the server. */
export interface ReactPage {
  readonly script: string
  readonly render: (props: AppProps) => string
}

/** @param packages the folder of `react` and `react-dom`, relative to the top of the repository */
export async function bundlePage(packages: string): Promise<ReactPage> {
  const names = ['react', 'react-dom', 'scheduler']
  const shared: InlineConfig = {
    root,
    configFile: false,
    logLevel: 'silent',
    resolve: { alias: Object.fromEntries(names.map((name) => [name, join(root, packages, name)])) },
    define: { 'process.env.NODE_ENV': '"production"' },
  }
  const script = await build({
    ...shared,
    build: { write: false, rolldownOptions: { input: join(root, 'test/react/in-browser.ts') } },
  })
  const server = await build({
    ...shared,
    ssr: { noExternal: true },
    build: { write: false, ssr: join(root, 'test/react/on-server.ts') },
  })
  const folder = join(root, '.cache/react', packages.replaceAll('/', '-'))
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'on-server.mjs')
  writeFileSync(file, codeOf(server))
  const { render } = (await import(pathToFileURL(file).href)) as Pick<ReactPage, 'render'>
  return { script: codeOf(script), render }
}

function codeOf(built: Awaited<ReturnType<typeof build>>): string {
  const [chunk, ...others] = (built as Rolldown.RolldownOutput).output
  if (others.length > 0) throw new Error('The page has more than one module')
  return chunk.code
}
