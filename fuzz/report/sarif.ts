import { createHash } from 'node:crypto'
import { version } from 'authmachine/instrumented'
import type { ConformanceReport } from '../run/report.ts'
import { rowOf } from '../run/why-not.ts'

/** A report as SARIF 2.1.0: the invariants are the rules, what was broken the results. */
export function writeSarif({ target, judgements, invariants }: ConformanceReport): string {
  const broken = judgements.filter(({ verdict }) => verdict === 'FAIL' || verdict === 'XFAIL')
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'authmachine-conformance',
            version,
            rules: invariants.map(({ id, says, level }) => ({
              id,
              shortDescription: { text: says },
              help: { text: rowOf(id).source },
              defaultConfiguration: { level: level === 'must' ? 'error' : 'warning' },
            })),
          },
        },
        results: broken.flatMap(({ broken: ruleId, property, setup, finding, verdict }) =>
          ruleId && finding
            ? [
                {
                  ruleId,
                  level: rowOf(ruleId).level === 'must' ? 'error' : 'warning',
                  message: { text: `${target} [${setup}]: ${finding.says}\n\n${finding.trace.join('\n')}` },
                  locations: [
                    {
                      logicalLocations: [
                        { name: target, kind: 'module', fullyQualifiedName: `${target} ${setup}` },
                      ],
                    },
                  ],
                  // The same fault is recognised by what was done, whatever was random in it.
                  partialFingerprints: { 'shrunkCommands/v1': fingerprint(property, setup, finding.trace) },
                  ...(verdict === 'XFAIL' && {
                    suppressions: [{ kind: 'external', justification: 'named in the baseline' }],
                  }),
                },
              ]
            : [],
        ),
      },
    ],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

function fingerprint(property: string, setup: string, trace: readonly string[]): string {
  const shape = trace.map((line) => line.replaceAll(/‹secret \d+›|\d+/g, '#').split(/[?:]/)[0])
  return createHash('sha256')
    .update(JSON.stringify([property, setup, shape]))
    .digest('hex')
}
