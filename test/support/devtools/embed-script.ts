import { readFile } from 'node:fs/promises'
import ts from 'typescript'
import type { Generator } from '../generator.ts'

const source = new URL('../../../src/tools/devtools/page-script.ts', import.meta.url)

/** The script of the devtools pages, as text that the library serves. */
export const devtoolsScript: Generator = {
  name: 'the devtools script',
  async generate() {
    const { outputText } = ts.transpileModule(await readFile(source, 'utf8'), {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, removeComments: true },
    })
    const script = `(() => {\n${outputText.trim().replace('export function', 'function')}\nrunDevtools()\n})()`
    return {
      'src/tools/devtools/embedded-script.ts': [
        '// Written by `npm run generated`.',
        '/** The script of the pages. */',
        `export const embeddedScript: string = ${JSON.stringify(script)}`,
        '',
      ].join('\n'),
    }
  },
}
