import { version } from 'authmachine/instrumented'
import { requirement } from 'authmachine/spec'
import type { ConformanceReport } from '../run/report.ts'
import { shorten, showSetups } from './parts.ts'

/** Renders a report as SARIF 2.1.0: requirements are rules, failures are results. */
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
            rules: invariants.map(({ id, says, level, cause, severity }) => ({
              id,
              shortDescription: { text: escape(says) },
              help: { text: escape(requirement(id).source) },
              properties: { tags: ['security', severity, cause] },
              defaultConfiguration: { level: level === 'must' ? 'error' : 'warning' },
            })),
          },
        },
        results: broken.flatMap(({ broken: ruleId, setup, finding, verdict }) =>
          ruleId && finding
            ? [
                {
                  ruleId,
                  level: requirement(ruleId).level === 'must' ? 'error' : 'warning',
                  message: {
                    text: escape(
                      `${target}${showSetups(target, [setup])}: ${finding.says}\n\n${shorten(finding.trace)
                        .map(({ step, line }) => `${step}${line}`)
                        .join('\n')}`,
                    ),
                  },
                  locations: [
                    {
                      logicalLocations: [
                        { name: target, kind: 'module', fullyQualifiedName: `${target} ${setup}` },
                      ],
                    },
                  ],
                  // The steps identify a fault, independent of random values.
                  partialFingerprints: { 'shrunkCommands/v1': finding.fingerprint },
                  ...(verdict === 'XFAIL' && {
                    suppressions: [{ kind: 'external', justification: 'listed in the baseline' }],
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

/** Keeps text of the target from becoming links (SARIF 2.1.0 §3.11.6) or placeholders (§3.11.5). */
function escape(text: string): string {
  return text.replaceAll(/[\\[\]]/g, String.raw`\$&`).replaceAll(/[{}]/g, '$&$&')
}
