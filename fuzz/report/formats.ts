import type { ConformanceReport } from '../run/report.ts'

/** The files that a report can be written to. */
export const formats = ['html', 'json', 'junit', 'sarif'] as const
export type Format = (typeof formats)[number]

interface Writer {
  readonly file: string
  readonly write: (report: ConformanceReport) => string
}

/** How each is written; what it needs is loaded when it is asked for. */
export async function writerOf(format: Format): Promise<Writer> {
  switch (format) {
    case 'json':
      return { file: 'report.json', write: (report) => `${JSON.stringify(report, null, 2)}\n` }
    case 'html':
      return { file: 'report.html', write: (await import('./html.ts')).writeHtml }
    case 'junit':
      return { file: 'junit.xml', write: (await import('./junit.ts')).writeJunit }
    case 'sarif':
      return { file: 'report.sarif', write: (await import('./sarif.ts')).writeSarif }
  }
}
