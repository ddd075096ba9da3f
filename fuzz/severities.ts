import { requirement, type RequirementId } from 'authmachine/spec'
import { causeOf, type Severity } from './causes.ts'

/**
 * The severity of requirements that are less severe than their cause at worst. A property can have another severity if
 * it tests only a part of a requirement.
 */
// Prettier would write each id on its own line.
// prettier-ignore
const lesser: Readonly<Partial<Record<Severity, readonly RequirementId[]>>> = {
  session: ['DEC-17d'],
  leak: ['SE-16', 'SU-04'],
  'denial of service': ['CC-01', 'CC-02', 'DEC-47a', 'RO-02', 'TX-14'],
  hardening: [
    // Wrong input or data that no attacker can choose, or that another check also refuses.
    'ATN-012', 'CC-08', 'DEC-10a', 'DEC-40e', 'EM-01', 'EM-06', 'JW-01', 'JW-02', 'JW-08', 'LM-12', 'OI-08', 'OI-09',
    'OI-14', 'OPT-022', 'PW-06', 'SU-15', 'TOK-003', 'TX-04', 'TX-12', 'TX-15', 'WA-05', 'WIR-036',
    // Appearance and convenience.
    'CD-08', 'WIR-063',
    // Links and tokens that are still secret.
    'OPT-011', 'SU-07', 'SU-08', 'TX-19',
    // The data and expiry of sessions that end in time.
    'CC-05', 'CC-06', 'JW-10', 'SE-06', 'SE-13',
  ],
}

const byRow = new Map(
  Object.entries(lesser).flatMap(([severity, rows]) => rows.map((id) => [id, severity as Severity] as const)),
)

/** The requirements whose severity differs from that of their cause. */
export const lessSevere: readonly RequirementId[] = [...byRow.keys()]

/** Returns the worst severity of a failure of this requirement. */
export function severityOf(id: RequirementId): Severity {
  return byRow.get(requirement(id).id) ?? causeOf(id).severity
}
