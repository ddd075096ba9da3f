import { gzipSync } from 'node:zlib'
import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Bundles and minifies the code of `authmachine/react` alone, without React and without the browser client. */
async function bundleReact(): Promise<string> {
  const built = (await build({
    root,
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      lib: { entry: 'src/react.ts', formats: ['es'] },
      minify: 'oxc',
      rolldownOptions: { external: [/^react$/, /\/client\//] },
    },
  })) as Rolldown.RolldownOutput[]
  return built.flatMap(({ output }) => output.map((each) => ('code' in each ? each.code : ''))).join('')
}

it('is smaller than 2 kB without React and the browser client', async () => {
  const code = await bundleReact()
  expect(code).toContain('SessionProvider')
  expect(code).not.toContain('BroadcastChannel')
  expect(gzipSync(code).length).toBeLessThan(2000)
})
