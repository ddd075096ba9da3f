import type { ConformanceReport } from '../run/report.ts'

export function writeJunit(report: ConformanceReport): string {
  return JSON.stringify(report)
}
