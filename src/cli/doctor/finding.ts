import { escapeControls } from '../../escape-controls.ts'
import type { DocsLink } from '../../explanations.ts'

/** The result of a check. */
export interface Finding {
  readonly level: 'good' | 'note' | 'warning' | 'problem'
  /** The result in sentences, without secret values. */
  readonly says: string
  /** How to fix it. Set for warnings and problems. */
  readonly todo?: string
  /** The section of the documentation that explains it. Set for warnings and problems. */
  readonly link?: DocsLink
}

/** The sections that findings refer to. A test checks that each exists. */
export const guideSections = {
  adapterMethods: 'docs/guides/adapters.md#optional-operations',
  checks: 'docs/guides/providers.md#configure-state-nonce-and-pkce',
  clock: 'docs/guides/troubleshooting.md#clock-skew',
  cookies: 'docs/guides/deploying.md#configure-cookies',
  credentials: 'docs/guides/embed.md#2-register-the-application',
  endpoints: 'docs/guides/troubleshooting.md#invalidendpoints',
  framing: 'docs/guides/security.md#another-site-in-the-users-browser',
  hosts: 'docs/guides/proxies.md#trust-the-host-of-requests',
  limits: 'docs/guides/testing.md#before-the-first-deployment',
  log: 'docs/guides/troubleshooting.md#read-the-log',
  previews: 'docs/guides/proxies.md#preview-deployments',
  providers: 'docs/guides/providers.md#presets',
  secret: 'docs/guides/troubleshooting.md#missingsecret',
  siteVariables: 'docs/guides/troubleshooting.md#auth_url-or-auth_trust_host-cannot-be-used',
} as const satisfies Readonly<Record<string, DocsLink>>

/** A group of findings. */
export interface Section {
  readonly title: string
  readonly findings: readonly Finding[]
}

export function good(says: string): Finding {
  return { level: 'good', says }
}

export function note(says: string): Finding {
  return { level: 'note', says }
}

/** Something that works but should be changed. */
export function warning(says: string, todo: string, link: DocsLink): Finding {
  return { level: 'warning', says, todo, link }
}

/** Something that does not work or is insecure. */
export function problem(says: string, todo: string, link: DocsLink): Finding {
  return { level: 'problem', says, todo, link }
}

/** `1 problem`, `2 problems`. */
export function count(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? '' : 's'}`
}

const width = 80
const marks = { good: '✓', note: '·', warning: '!', problem: '✗' } as const

/** Formats the sections with at most 80 columns, and adds the number of problems and warnings. */
export function writeReport(title: string, sections: readonly Section[]): string {
  const parts = sections.filter(({ findings }) => findings.length > 0).map(writeSection)
  return `${[title, ...parts, summarize(sections)].join('\n\n')}\n`
}

/** Returns whether there is a problem. */
export function hasProblem(sections: readonly Section[]): boolean {
  return countLevel(sections, 'problem') > 0
}

function writeSection({ title, findings }: Section): string {
  return [title, ...findings.map(writeFinding)].join('\n')
}

/** Escapes line breaks, so that a site cannot inject findings. */
function writeFinding({ level, ...texts }: Finding): string {
  const says = escapeControls(texts.says)
  const found = wrap(says, `  ${marks[level]} `, '    ')
  if (texts.todo === undefined) return found
  const todo = [texts.todo, texts.link && `See ${texts.link}`].filter(Boolean).join(' ')
  return `${found}\n${wrap(escapeControls(todo), '    → ', '      ')}`
}

function summarize(sections: readonly Section[]): string {
  const [problems, warnings] = [countLevel(sections, 'problem'), countLevel(sections, 'warning')]
  if (problems + warnings === 0) return 'No problems found.'
  return `${count(problems, 'problem')}, ${count(warnings, 'warning')}.`
}

function countLevel(sections: readonly Section[], level: Finding['level']): number {
  return sections.flatMap(({ findings }) => findings).filter((finding) => finding.level === level).length
}

/** Wraps text between words. A word that is longer than a line, such as a URL, gets its own line. */
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
