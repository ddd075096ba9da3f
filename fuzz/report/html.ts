import type { ConformanceReport } from '../run/report.ts'

export function writeHtml(report: ConformanceReport): string {
  return JSON.stringify(report)
}
