import { readFile } from 'node:fs/promises'
import ts from 'typescript'
import type { Generator } from '../generator.ts'

const top = new URL('../../../', import.meta.url)

/**
 * The script of the sign-in page, as text that the library serves: the browser half of SimpleWebAuthn as it is published,
 * with its licence, and our own page script behind it.
 */
export const pageScript: Generator = {
  name: 'the script of the sign-in page',
  async generate() {
    const read = (path: string) => readFile(new URL(path, top), 'utf8')
    const published = 'node_modules/@simplewebauthn/browser'
    const bundle = await read(`${published}/dist/bundle/index.umd.min.js`)
    const licence = await read(`${published}/LICENSE.md`)
    const source = await read('src/webauthn/page-script.ts')
    const { outputText: own } = ts.transpileModule(source, {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, removeComments: true },
    })
    const script = [
      `/*!\n${licence.trim()}\n*/`,
      bundle.trim(),
      `;(() => {\n${own.trim().replace('export function', 'function')}\nrunPageScript(SimpleWebAuthnBrowser)\n})()`,
    ].join('\n')
    return {
      'src/webauthn/embedded-script.ts': [
        '// Written by `npm run generated`.',
        '/** `@simplewebauthn/browser` as it is published, and the script of the sign-in page behind it. */',
        `export const embeddedScript: string = ${JSON.stringify(script)}`,
        '',
      ].join('\n'),
    }
  },
}
