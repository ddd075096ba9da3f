import type { ConformanceReport } from '../run/report.ts'

export function writeSarif(report: ConformanceReport): string {
  return JSON.stringify(report)
}
