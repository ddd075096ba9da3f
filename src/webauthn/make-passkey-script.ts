/**
 * The script of a sign-in page with passkeys: the browser half of SimpleWebAuthn as it is published, with its licence, and
 * our own page script behind it. The build puts the text into the package, and not this file, which makes it when the
 * library runs from its sources.
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
