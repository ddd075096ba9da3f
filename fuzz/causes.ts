import { requirement, type RequirementId } from 'authmachine/spec'

/** The severities, by what an attacker gains, the most urgent first. */
export const severities = ['takeover', 'session', 'leak', 'denial of service', 'hardening'] as const
export type Severity = (typeof severities)[number]

/** A common cause of failures: requirements that one defect tends to break, and that one change tends to fix. */
export interface Cause {
  /** A short name, for links and reports. */
  readonly id: string
  readonly severity: Severity
  readonly rows: readonly RequirementId[]
}

/**
 * Every requirement that a report can list, by the cause of its failures. They are in the order in which to fix them:
 * by severity, and within a severity by how easy the attack is.
 */
// Prettier would write each id on its own line.
// prettier-ignore
export const causes = [
  // A response contains parts of the response to another visitor.
  {
    id: 'shared-responses',
    severity: 'takeover',
    rows: ['CC-12'],
  },
  // Identities are accepted without proof from the right provider.
  {
    id: 'identity-tokens',
    severity: 'takeover',
    rows: [
      'DEC-10a', 'OI-01', 'OI-02', 'OI-03', 'OI-04', 'OI-05', 'OI-06', 'OI-07', 'OI-08', 'OI-09', 'OI-10',
      'OI-12', 'OI-14', 'OI-15', 'OI-16', 'OI-20', 'OI-21', 'OI-24', 'OI-32', 'OI-33',
    ],
  },
  // Session tokens can be forged, guessed or used for another purpose.
  {
    id: 'forged-tokens',
    severity: 'takeover',
    rows: [
      'JW-01', 'JW-02', 'JW-03', 'JW-05', 'JW-06', 'JW-08', 'JW-11', 'OPT-022', 'RO-01', 'RO-02', 'RO-04',
      'SE-15', 'SE-16', 'SE-19', 'SE-26', 'SU-09',
    ],
  },
  // An identity reaches the wrong user.
  {
    id: 'linking',
    severity: 'takeover',
    rows: [
      'AL-01', 'AL-02', 'AL-03', 'AL-04', 'AL-05', 'AL-06', 'AL-08', 'AL-09', 'AL-10', 'AL-12', 'AL-13',
      'CC-01', 'CC-02', 'CC-10', 'DEC-19b', 'DEC-38', 'DEC-39a', 'DEC-39c', 'DEC-39e', 'DEC-47a', 'EC-06', 'EM-10',
      'OI-17', 'OI-18', 'OI-19', 'WA-10',
    ],
  },
  // A refusal is bypassed: an error or an invalid row counts as signed in.
  {
    id: 'bypassed-refusals',
    severity: 'takeover',
    rows: [
      'ATN-012', 'CB-01', 'CB-02', 'CF-03', 'DEC-17d', 'FI-03', 'FI-07', 'FI-11', 'SE-21', 'SE-22',
      'SE-23', 'TOK-003',
    ],
  },
  // Requests or applications share state that belongs to one of them.
  {
    id: 'shared-state',
    severity: 'takeover',
    rows: ['CC-07', 'CC-11', 'SE-20', 'WIR-063'],
  },
  // Responses of a provider are not bound to the sign-in that asked for them.
  {
    id: 'transactions',
    severity: 'takeover',
    rows: [
      'CC-08', 'TX-01', 'TX-02', 'TX-03', 'TX-04', 'TX-05', 'TX-06', 'TX-07', 'TX-08', 'TX-09', 'TX-10',
      'TX-11', 'TX-12', 'TX-13', 'TX-14', 'TX-15', 'TX-20', 'TX-24', 'TX-25', 'DEC-41a', 'WIR-036',
    ],
  },
  // One e-mail address is read in two ways.
  {
    id: 'addresses',
    severity: 'takeover',
    rows: ['EM-01', 'EM-02', 'EM-03', 'EM-04', 'EM-05', 'EM-06', 'EM-09'],
  },
  // Mailed links or codes work twice, too long, or for another user.
  {
    id: 'mailed-secrets',
    severity: 'takeover',
    rows: [
      'CD-01', 'CD-03', 'CD-04', 'CD-05', 'CD-06', 'CD-08', 'OPT-011', 'SU-01', 'SU-02', 'SU-03', 'SU-04',
      'SU-05', 'SU-07', 'SU-08', 'SU-12', 'SU-13', 'SU-15', 'SU-16', 'TX-21', 'EC-03', 'EC-05',
    ],
  },
  // A request chooses the host, and so the address of links and redirects.
  {
    id: 'hosts',
    severity: 'takeover',
    rows: ['DEC-40a', 'DEC-40e', 'EM-08', 'HH-01', 'HH-02', 'HH-06', 'HH-07'],
  },
  // Another site can act for the user.
  {
    id: 'csrf',
    severity: 'takeover',
    rows: ['ACP-07', 'SE-03', 'TX-17', 'TX-18', 'TX-19'],
  },
  // Passwords can be set or changed by another user.
  {
    id: 'passwords',
    severity: 'takeover',
    rows: ['PW-03', 'PW-06', 'PW-08', 'PW-10', 'PW-16'],
  },
  // Passkey ceremonies accept responses that they did not ask for.
  {
    id: 'passkeys',
    severity: 'takeover',
    rows: ['WA-01', 'WA-02', 'WA-03', 'WA-04', 'WA-05', 'WA-06', 'WA-07', 'WA-09', 'WA-11', 'WA-15'],
  },
  // A gate of the site can be skipped, or passed for another user.
  {
    id: 'gates',
    severity: 'takeover',
    rows: ['FT-01', 'FT-02', 'FT-03', 'FT-04'],
  },
  // The second factor can be skipped, used twice or replaced.
  {
    id: 'second-factor',
    severity: 'takeover',
    rows: [
      'ACP-13', 'ACP-14', 'EC-02', 'SF-01', 'SF-02', 'SF-03', 'SF-05', 'SF-06', 'SF-07', 'SF-08', 'SF-09', 'POL-06', 'SF-10', 'SF-13', 'SF-14',
      'SF-17', 'SF-18', 'SF-19', 'SF-20', 'POL-01', 'POL-02', 'POL-03', 'POL-04', 'SF-04', 'SF-12', 'SF-15',
    ],
  },
  // Guesses are not limited.
  {
    id: 'guesses',
    severity: 'takeover',
    rows: ['CC-09', 'CD-02', 'LM-03', 'OPT-003', 'RL-09', 'SF-11', 'SU-06'],
  },
  // Input reaches headers, pages or cookies as code.
  {
    id: 'header-injection',
    severity: 'takeover',
    rows: ['CK-10', 'CK-11', 'EM-07', 'IL-05', 'LM-12', 'RD-03'],
  },
  // Sessions survive their end.
  {
    id: 'revocation',
    severity: 'session',
    rows: [
      'ACP-08', 'ACP-11', 'ACP-17', 'EC-07', 'BCL-01', 'BCL-02', 'BCL-03', 'BCL-04', 'BCL-05', 'CC-03', 'CC-04', 'CK-16', 'CK-17', 'OPT-006', 'PW-09', 'SE-02', 'SE-10',
      'SE-12', 'SE-14', 'SE-24', 'STM-01', 'STM-02', 'STM-03',
    ],
  },
  // Sessions outlive their expiry, or report a wrong one.
  {
    id: 'expiry',
    severity: 'session',
    rows: [
      'CC-05', 'CC-06', 'JW-04', 'JW-10', 'OI-25', 'SE-04', 'SE-05', 'SE-06', 'SE-07', 'SE-08', 'SE-09',
      'SE-13', 'SE-25', 'SE-27',
    ],
  },
  // A session or cookie from before a sign-in still counts after it.
  {
    id: 'fixation',
    severity: 'session',
    rows: ['CK-05', 'CK-06', 'CK-07', 'CK-14', 'SE-01'],
  },
  // Visitors can be redirected to another site.
  {
    id: 'open-redirects',
    severity: 'leak',
    rows: ['RD-01', 'RD-02', 'RD-06', 'RD-08', 'RD-09', 'RD-10', 'TX-22'],
  },
  // Secrets appear in URLs, pages, logs or caches.
  {
    id: 'exposed-secrets',
    severity: 'leak',
    rows: [
      'ACP-05', 'ACP-06', 'EC-01', 'CB-07', 'CD-07', 'CK-12', 'DEC-32d', 'IL-02', 'IL-03', 'IL-04', 'IL-06', 'IL-08', 'MD-03',
      'PW-12', 'RD-07', 'SE-18', 'SEA-009', 'SF-16', 'TX-26',
    ],
  },
  // Responses tell who has an account.
  {
    id: 'known-users',
    severity: 'leak',
    rows: ['EC-04', 'IL-01', 'IL-10', 'PW-02', 'PW-07', 'TM-01', 'TM-02', 'WA-08'],
  },
  // Input of a visitor makes the server send requests.
  {
    id: 'requests-of-attackers',
    severity: 'leak',
    rows: ['WA-13'],
  },
  // One request, cookie or redirect target causes an error, or costs too much.
  {
    id: 'crashing-input',
    severity: 'denial of service',
    rows: [
      'DEC-34b', 'FI-12', 'JW-07', 'JW-09', 'LM-01', 'LM-04', 'LM-05', 'LM-07', 'LM-08', 'LM-09', 'LM-10',
      'LM-11', 'LM-14', 'LM-17', 'RD-04', 'SF-21', 'RD-05', 'SE-11', 'SE-17', 'WA-12',
    ],
  },
  // Passkeys that the standard allows are refused.
  {
    id: 'refused-passkeys',
    severity: 'denial of service',
    rows: ['DEC-30h', 'DEC-30i'],
  },
  // A slow or broken provider takes the application down with it.
  {
    id: 'slow-providers',
    severity: 'denial of service',
    rows: ['DEC-34', 'FI-05', 'FI-06', 'LM-06', 'OI-11', 'OI-13', 'OI-26', 'OI-27'],
  },
  // A fault or a race leaves a user unable to sign in.
  {
    id: 'half-written-rows',
    severity: 'denial of service',
    rows: [
      'ACP-09', 'AL-11', 'DEC-23a', 'EC-09', 'FI-01', 'FI-02', 'FI-04', 'FI-08', 'FI-09', 'FI-10', 'FI-13', 'OPT-001', 'OPT-008', 'RO-03',
      'RO-06', 'RO-07', 'RO-08', 'RO-09', 'SU-10', 'SU-11',
    ],
  },
  // Mail and other costly requests are not limited.
  {
    id: 'unlimited-requests',
    severity: 'denial of service',
    rows: ['EC-10', 'LM-02', 'RL-01', 'RL-02'],
  },
  // Cookies lack protection, or are too large.
  {
    id: 'cookies',
    severity: 'hardening',
    rows: ['CK-01', 'CK-02', 'CK-03', 'CK-04', 'CK-08', 'CK-09', 'CK-15'],
  },
  // Dangerous configurations are accepted without a word.
  {
    id: 'weak-configuration',
    severity: 'hardening',
    rows: ['CF-01', 'CF-02', 'CF-04', 'CF-05', 'RO-05'],
  },
  // Routes, headers and log lines are laxer than they must be.
  {
    id: 'http',
    severity: 'hardening',
    rows: ['CK-13', 'HH-03', 'HH-04', 'HH-05', 'IL-07', 'IL-09', 'LM-13'],
  },
  // Callbacks, events or stored data differ from their contract.
  {
    id: 'contracts',
    severity: 'hardening',
    rows: [
      'ACP-10', 'ACP-12', 'AL-07', 'CB-03', 'CB-04', 'CB-05', 'CB-06', 'CB-08', 'CD-09', 'DEC-21c', 'DEC-42', 'EC-08', 'EVT-009', 'EVT-011',
      'EVT-012', 'JW-12',
      'MD-01', 'MD-02', 'MD-04', 'OI-22', 'OI-23', 'OPT-009', 'POL-07', 'TX-16', 'TX-23', 'WA-14',
    ],
  },
] as const satisfies readonly Cause[]

const byRow = new Map<RequirementId, Cause>(causes.flatMap((cause) => cause.rows.map((id) => [id, cause])))

/** Returns the cause of a requirement's failures. @throws {RangeError} if no cause lists it, which a test rules out */
export function causeOf(id: RequirementId): Cause {
  const cause = byRow.get(requirement(id).id)
  if (cause === undefined) throw new RangeError(`No cause lists ${id}: add it to fuzz/causes.ts`)
  return cause
}
