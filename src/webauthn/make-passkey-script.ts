/**
 * Builds the script of a sign-in page with passkeys: the published browser package of SimpleWebAuthn with its licence,
 * followed by our own page script. The build writes the resulting text into the package. This file is not packed: it
 * creates the text when the library runs from its sources.
 */
import { readFileSync } from 'node:fs'
import ts from 'typescript'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

export const passkeyScript: string = makeScript()

function makeScript(): string {
  const published = 'node_modules/@simplewebauthn/browser'
  const { outputText: own } = ts.transpileModule(read('src/webauthn/page-script.ts'), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, removeComments: true },
  })
  return [
    `/*!\n${read(`${published}/LICENSE.md`).trim()}\n*/`,
    read(`${published}/dist/bundle/index.umd.min.js`).trim(),
    `;(() => {\n${own.trim().replace('export function', 'function')}\nrunPageScript(SimpleWebAuthnBrowser)\n})()`,
  ].join('\n')
}
