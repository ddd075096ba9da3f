import { readFile } from 'node:fs/promises'
import type { Generator } from '../support/generator.ts'
import { differences } from './differences.ts'
import { ours } from './library.ts'
import { nameSituation, playAll, type Ending, type Endings, type Situation } from './situation.ts'
import { situations } from './situations/index.ts'

/** Writes the guide that compares how errors end: in the published library from a recording, in this one live. */
export const errorGuide: Generator = {
  name: 'errors',
  async generate() {
    const file = new URL('auth-core-0.41.3.json', import.meta.url)
    const there = JSON.parse(await readFile(file, 'utf8')) as Endings
    const here = await playAll(situations, () => ours)
    return { 'docs/guides/errors.md': `${intro}\n${writeGroups(there, here).join('\n\n')}\n` }
  },
}

const intro = `# Errors compared with Auth.js

This page compares the result of failing requests in \`@auth/core\` 0.41.3 and in this library. Integrations call
\`Auth(request, { raw })\` from server actions; it returns data or throws. A browser gets the normal response.

Each row was run on both libraries. "same" means that this library gives the same result. Otherwise, the last
column names the [requirement](../../spec/README.md) that explains the difference. In raw mode, \`@auth/core\` returns
some redirects as a \`Response\`. This library returns them as data, with the cookies that were set before the error
(DEC-12b). In both cases, integrations find the URL where they expect it.

[Troubleshooting](troubleshooting.md) explains each type.
`

function writeGroups(there: Endings, here: Endings): readonly string[] {
  const groups = [...new Set(situations.map(({ group }) => group))]
  return groups.map((group) => {
    const rows = situations
      .filter((situation) => situation.group === group)
      .map((situation) => writeRow(situation, there, here))
    const head = [
      '| Situation | Logged here | `raw`: Auth.js | `raw`: authmachine | Response: Auth.js | Response: authmachine | Why |',
      '| --- | --- | --- | --- | --- | --- | --- |',
    ]
    return [`## ${group}`, '', ...head, ...rows].join('\n')
  })
}

const unknown: Ending = { raw: '', normal: '', logs: [] }

function writeRow(situation: Situation, there: Endings, here: Endings): string {
  const name = nameSituation(situation)
  const [theirs, own] = [there[name] ?? unknown, here[name] ?? unknown]
  const cells = [
    situation.title,
    own.logs.map((type) => `\`${type}\``).join(', '),
    show(theirs.raw),
    own.raw === theirs.raw ? 'same' : show(own.raw),
    show(theirs.normal),
    own.normal === theirs.normal ? 'same' : show(own.normal),
    differences[name] ?? '',
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

/** Formats everything but the first words as code. */
function show(ending: string): string {
  const [, words = '', rest = ''] =
    /^(throws|redirects to|\d{3} with a page|\d{3})? ?(.*)$/s.exec(ending) ?? []
  return [words, rest && `\`${rest}\``].filter(Boolean).join(' ')
}
