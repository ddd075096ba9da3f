import type { Job } from './job.ts'
import type { Judgement } from './verdict.ts'

/**
 * Judges a job. After a failure, it also judges the other requirements of the property, so that one failure does not
 * hide another. Each judgement is about the requirement that failed, and the last one about the others.
 *
 * @param judge judges the requirements that did not fail before
 */
export async function judgeEach(
  job: Job,
  judge: (job: Job) => Promise<Judgement>,
  report: (judgement: Judgement) => void,
): Promise<void> {
  const judgement = await judge(job)
  const { verdict, broken, proves } = judgement
  const others = proves.filter((id) => id !== broken)
  // A replay is about one case.
  if (verdict !== 'FAIL' || broken === undefined || others.length === 0 || job.path !== undefined)
    return report(judgement)
  report({ ...judgement, proves: [broken] })
  return judgeEach({ ...job, broken: [...(job.broken ?? []), broken] }, judge, report)
}
