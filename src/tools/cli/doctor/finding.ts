import { escapeControls } from '../../../text/escape-controls.ts'
import { type GuideSection, referTo } from '../../../errors/explanations.ts'

/** The result of a check. */
export interface Finding {
  readonly level: 'good' | 'note' | 'warning' | 'problem'
  /** The result in sentences, without secret values. */
  readonly says: string
  /** How to fix it. Set for warnings and problems. */
  readonly todo?: string
  /** The section of the documentation that explains it. Set for warnings and problems. */
  readonly section?: GuideSection
}

/** The sections that findings refer to. A test checks that each exists. */
export const guideSections = {
  adapterMethods: { guide: 'Adapters', heading: 'Optional operations' },
  checks: { guide: 'Providers', heading: 'Configure state, nonce and PKCE' },
  clock: { guide: 'Troubleshooting', heading: 'Clock skew' },
  cookies: { guide: 'Secure and deploy your site', heading: 'Configure cookies' },
  credentials: { guide: 'Embed it in ten minutes', heading: '2. Register the application' },
  endpoints: { guide: 'Troubleshooting', heading: 'InvalidEndpoints' },
  framing: { guide: 'Security', heading: "Another site in the user's browser" },
  hosts: { guide: 'Hosts and proxies', heading: 'Trust the host of requests' },
  limits: { guide: 'Test your application', heading: 'Before the first deployment' },
  log: { guide: 'Troubleshooting', heading: 'Read the log' },
  previews: { guide: 'Hosts and proxies', heading: 'Preview deployments' },
  providers: { guide: 'Providers', heading: 'Presets' },
  secret: { guide: 'Troubleshooting', heading: 'MissingSecret' },
  siteVariables: { guide: 'Troubleshooting', heading: 'AUTH_URL or AUTH_TRUST_HOST cannot be used' },
} as const satisfies Readonly<Record<string, GuideSection>>

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
export function warning(says: string, todo: string, section: GuideSection): Finding {
  return { level: 'warning', says, todo, section }
}

/** Something that does not work or is insecure. */
export function problem(says: string, todo: string, section: GuideSection): Finding {
  return { level: 'problem', says, todo, section }
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

/** Returns whether there is a problem, or with `strict` a warning. */
export function hasProblem(sections: readonly Section[], strict = false): boolean {
  return countLevel(sections, 'problem') > 0 || (strict && countLevel(sections, 'warning') > 0)
}

function writeSection({ title, findings }: Section): string {
  return [title, ...findings.map(writeFinding)].join('\n')
}

/** Escapes line breaks, so that a site cannot inject findings. */
function writeFinding({ level, ...texts }: Finding): string {
  const says = escapeControls(texts.says)
  const found = wrap(says, `  ${marks[level]} `, '    ')
  if (texts.todo === undefined) return found
  const todo = [texts.todo, texts.section && referTo(texts.section)].filter(Boolean).join(' ')
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
