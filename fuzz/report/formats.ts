import type { ConformanceReport } from '../run/report.ts'

/** The formats of report files. */
export const formats = ['html', 'json', 'junit', 'markdown', 'sarif'] as const
export type Format = (typeof formats)[number]

/** A file, with its name in the report directory. */
export interface ReportFile {
  readonly name: string
  readonly content: string
}

/**
 * Writes reports: one page for all of them, or a file each. Loads a format’s dependencies only when needed. Beside the
 * page is another one with the diagrams, if a target reports its transitions and failed.
 */
export async function writeReports(
  format: Format,
  reports: readonly ConformanceReport[],
): Promise<ReportFile[]> {
  if (format === 'html') {
    const [{ writeHtml }, { diagramsFile, recordFailures, writeDiagrams }] = await Promise.all([
      import('./html.ts'),
      import('./diagrams.ts'),
    ])
    const page = { name: 'report.html', content: writeHtml(reports) }
    const recordings = reports.flatMap(recordFailures)
    if (recordings.length === 0) return [page]
    return [page, { name: diagramsFile, content: await writeDiagrams(recordings) }]
  }
  const [write, ending] = await writerOf(format)
  return reports.map((report) => ({
    // A path may begin with dots, which would hide the file.
    name: `${report.target.replaceAll(/[^\w.@-]+/g, '-').replace(/^[.-]+/, '')}.${ending}`,
    content: write(report),
  }))
}

async function writerOf(
  format: Exclude<Format, 'html'>,
): Promise<readonly [(report: ConformanceReport) => string, string]> {
  switch (format) {
    case 'json':
      return [(report) => `${JSON.stringify(report, null, 2)}\n`, 'json']
    case 'junit':
      return [(await import('./junit.ts')).writeJunit, 'junit.xml']
    case 'markdown':
      return [(await import('./markdown.ts')).writeMarkdown, 'md']
    case 'sarif':
      return [(await import('./sarif.ts')).writeSarif, 'sarif']
  }
}
