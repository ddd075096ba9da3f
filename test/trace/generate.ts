import { chapters } from '../../spec/index.ts'
import type { GeneratedFiles, Generator } from '../support/generator.ts'
import { pending } from '../pending.ts'
import { collect } from './collect.ts'
import { readKills } from './kills.ts'
import { standings, type Standing } from './standing.ts'

const top = new URL('../../', import.meta.url)

/** Writes docs/traceability.md: each requirement with the states that draw it and the tests that witness it. */
export const traceability: Generator = { name: 'traceability', generate }

export async function generate(): Promise<GeneratedFiles> {
  const rows = standings(await collect(top), await readKills(top))
  return { 'docs/traceability.md': page(rows) }
}

function page(rows: readonly Standing[]): string {
  const byId = new Map<string, Standing>(rows.map((row) => [row.requirement.id, row]))
  const parts = chapters.map((chapter) => ({
    title: chapter.title,
    rows: chapter.rows.flatMap(({ id }) => byId.get(id) ?? []),
  }))
  return [
    '# Traceability',
    '',
    'Written by `npm run generated` from the specification, the charts and the tests; edits are overwritten.',
    '',
    'A requirement is *proven* when a test that names it was seen to kill a mutant, *witnessed* when a test names it,',
    'and *pending* when it is a must that no test names yet.',
    '',
    line(['Chapter', 'Requirements', 'Musts', 'Proven', 'Witnessed', 'Pending']),
    line(['---', '--:', '--:', '--:', '--:', '--:']),
    ...parts.map((part) => line([part.title, ...counts(part.rows)])),
    line(['**All**', ...counts(rows)]),
    '',
    ...parts.flatMap((part) => [`## ${part.title}`, '', ...table(part.rows), '']),
  ].join('\n')
}

function counts(rows: readonly Standing[]): readonly string[] {
  const having = (state: Standing['state']): number => rows.filter((row) => row.state === state).length
  const musts = rows.filter((row) => row.requirement.level === 'must').length
  return [rows.length, musts, having('proven'), having('witnessed'), having('owed')].map(String)
}

function table(rows: readonly Standing[]): readonly string[] {
  return [
    line(['Id', 'Level', 'Says', 'Drawn', 'Tested', 'Mutants', 'Status']),
    line(['---', '---', '---', '---', '---', '--:', '---']),
    ...rows.map((row) =>
      line([
        anchor(row.requirement.id),
        row.requirement.level,
        cell(row.requirement.says),
        row.drawn.map(code).join('<br>'),
        row.tested.map(cell).join('<br>'),
        String(row.killed.length),
        status(row),
      ]),
    ),
  ]
}

function status({ state, requirement }: Standing): string {
  if (state === 'owed') return `pending: ${cell(pending[requirement.id] ?? 'named nowhere')}`
  return state === 'open' ? '' : state
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

/** A bar would end the cell, and an angle bracket start an element. */
function cell(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ')
}

/** An id that other pages can link to. */
function anchor(id: string): string {
  return `<a id="${id}"></a>${id}`
}

function code(text: string): string {
  return `\`${text}\``
}
