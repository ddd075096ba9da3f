import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'
import { mutantPlugin } from '../mutants/mutant-plugin.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Bundles the client into one minified module, as a page loads it. @throws Error when the bundle has more than one */
export async function bundleClient(): Promise<Rolldown.OutputChunk> {
  const built = (await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [mutantPlugin(root)],
    build: { write: false, lib: { entry: 'src/client.ts', formats: ['es'] }, minify: 'oxc' },
  })) as Rolldown.RolldownOutput[]
  const [chunk, ...others] = built.flatMap(({ output }) => output)
  if (chunk?.type !== 'chunk' || others.length > 0) throw new Error('The client has more than one module')
  return chunk
}
