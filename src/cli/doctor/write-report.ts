import { escapeControls } from '../../markup/escape-controls.ts'
import { count, type Finding, type Section } from './finding.ts'

const width = 80
const marks = { good: '✓', note: '·', warning: '!', problem: '✗' } as const

/** The sections as text of at most 80 columns, and how many problems and warnings there are. */
export function writeReport(title: string, sections: readonly Section[]): string {
  const parts = sections.filter(({ findings }) => findings.length > 0).map(writeSection)
  return `${[title, ...parts, summarize(sections)].join('\n\n')}\n`
}

/** Is there a problem among them? */
export function hasProblem(sections: readonly Section[]): boolean {
  return countLevel(sections, 'problem') > 0
}

function writeSection({ title, findings }: Section): string {
  return [title, ...findings.map(writeFinding)].join('\n')
}

/** A line break from outside would let a site write findings of its own. */
function writeFinding({ level, ...texts }: Finding): string {
  const says = escapeControls(texts.says)
  const todo = texts.todo === undefined ? undefined : escapeControls(texts.todo)
  const found = wrap(says, `  ${marks[level]} `, '    ')
  return todo === undefined ? found : `${found}\n${wrap(todo, '    → ', '      ')}`
}

function summarize(sections: readonly Section[]): string {
  const [problems, warnings] = [countLevel(sections, 'problem'), countLevel(sections, 'warning')]
  if (problems + warnings === 0) return 'All is well.'
  return `${count(problems, 'problem')}, ${count(warnings, 'warning')}.`
}

function countLevel(sections: readonly Section[], level: Finding['level']): number {
  return sections.flatMap(({ findings }) => findings).filter((finding) => finding.level === level).length
}

/** Lines that end between words; a word that is longer than a line, such as a URL, has one for itself. */
function wrap(text: string, first: string, others: string): string {
  const lines: string[] = []
  let line = first
  let isBegun = false
  for (const word of text.split(' ')) {
    if (isBegun && line.length + 1 + word.length > width) {
      lines.push(line)
      line = others
      isBegun = false
    }
    line += isBegun ? ` ${word}` : word
    isBegun = true
  }
  return [...lines, line].join('\n')
}
