import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in writing responses. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/http/known-origin.ts', [
    {
      id: 'embedding/comes-back-anywhere',
      in: 'pathOf',
      find: ".replace(/^\\/{2,}/, '/')",
      replace: '',
      breaks: ['EMB-007'],
    },
    {
      id: 'handler/any-host-is-known',
      in: 'knownOrigin',
      find: '(trustHost ? ofRequest : undefined)',
      replace: 'ofRequest',
      breaks: ['HH-01'],
    },
  ]),
  ...mutantsOf('src/http/copy-headers.ts', [
    {
      // A server whose Response keeps this object adds the cookies of every visitor to it.
      id: 'http/shared-headers',
      in: 'copyHeaders',
      find: 'const copy = new Headers()',
      replace:
        'const given = [...entries]; const shared = ((copyHeaders as { made?: Map<string, Headers> }).made ??= new Map()); const known = shared.get(String(given)); if (known) return known; const copy = new Headers(); shared.set(String(given), copy)',
      breaks: ['CC-12'],
    },
  ]),
  ...mutantsOf('src/http/respond.ts', [
    {
      // The cookies of earlier responses.
      id: 'http/cookies-of-everyone',
      in: 'respond',
      find: 'const cookies = changes.map((change) => serializeCookie(change))',
      replace:
        'const cookies = ((respond as { sent?: string[] }).sent ??= []); cookies.push(...changes.map((change) => serializeCookie(change)))',
      breaks: ['CC-12'],
    },
    {
      id: 'http/cache-may-store',
      in: 'noStore',
      find: ', no-store',
      replace: '',
      breaks: ['CK-12', 'CK-13', 'DEC-32a', 'DEC-32b'],
    },
  ]),
  ...mutantsOf('src/http/respond.ts', [
    {
      id: 'http/page-sniffed',
      in: 'pageHeaders',
      find: "'X-Content-Type-Options': 'nosniff',",
      replace: '',
      breaks: ['CK-13', 'DEC-32a'],
    },
    {
      id: 'http/framed',
      in: 'pageHeaders',
      find: "'X-Frame-Options': 'DENY',",
      replace: '',
      breaks: ['CK-13', 'DEC-32a'],
    },
    {
      id: 'http/scripts-always',
      in: 'contentSecurityPolicy',
      find: 'script ===',
      replace: 'style ===',
      breaks: ['CK-13', 'DEC-32a'],
    },
    {
      id: 'http/logo-in-full',
      in: 'originOf',
      find: '` ${origin}',
      replace: '` ${url}',
      breaks: ['CK-13', 'DEC-32a'],
    },
    {
      id: 'http/logo-of-any-scheme',
      in: 'originOf',
      find: "=== 'https:' || protocol === 'http:",
      replace: "!== '",
      breaks: ['CK-13', 'DEC-32a'],
    },
    {
      id: 'oidc/page-in-any-frame',
      in: 'contentSecurityPolicy',
      find: '"frame-ancestors \'none\'",',
      replace: '',
      breaks: ['CK-13', 'DEC-32a'],
    },
  ]),
  ...mutantsOf('src/http/respond.ts', [
    {
      id: 'handler/origin-let-in',
      in: 'completeHeaders',
      find: '.headers,',
      replace: ".headers,\n...{ 'Access-Control-Allow-Origin': '*' },",
      breaks: ['IL-08'],
    },
    {
      id: 'http/redirects-repeat-the-post',
      in: 'complete',
      find: 'status : 302',
      replace: 'status : 307',
      breaks: ['TX-22'],
    },
    {
      id: 'http/set-cookie-twice',
      in: 'complete',
      find: 'lastOfEach(answer.cookies)',
      replace: '[...answer.cookies]',
      breaks: ['CK-08', 'WIR-064'],
    },
    {
      id: 'http/a-cookie-set-again',
      in: 'complete',
      find: 'lastOfEach(answer.cookies)',
      replace: '[...lastOfEach(answer.cookies), ...answer.cookies.slice(0, 1)]',
      breaks: ['CK-08'],
    },
    {
      id: 'http/first-set-cookie-wins',
      in: 'lastOfEach',
      find: 'byIdentity.delete(identity)',
      replace: 'if (byIdentity.has(identity)) continue',
      breaks: ['CK-08', 'WIR-064'],
    },
    {
      id: 'http/cookies-cached',
      in: 'completeHeaders',
      find: '|| cookies.length > 0 ||',
      replace: '||',
      breaks: ['CK-12', 'DEC-32b'],
    },
    {
      id: 'http/redirects-cached',
      in: 'completeHeaders',
      find: '|| answer.location !== undefined',
      replace: '',
      breaks: ['DEC-32d'],
    },
    {
      id: 'http/private-cached',
      in: 'completeHeaders',
      find: 'answer.private ||',
      replace: '',
      breaks: ['CK-12'],
    },
    {
      id: 'http/redirect-repeats-the-post',
      in: 'complete',
      find: 'answer.location === undefined ? answer.status : 302',
      replace: 'answer.status',
      breaks: ['TX-22', 'WIR-064'],
    },
    {
      id: 'http/location-dropped',
      in: 'respond',
      find: ', Location,',
      replace: ',',
      breaks: ['WIR-006'],
    },
    {
      id: 'http/error-not-told',
      in: 'respond',
      find: '...(answer.showsError && { ok: false })',
      replace: '',
      breaks: ['WIR-006', 'EMB-001'],
    },
    {
      id: 'http/location-raw',
      in: 'respond',
      find: 'encodeLocation(location)',
      replace: 'location',
      breaks: ['CK-10', 'RD-02', 'RD-04', 'WIR-064', 'WIR-006'],
    },
    {
      id: 'http/location-surrogate-throws',
      in: 'encodeLocation',
      find: '.toWellFormed()',
      replace: '',
      breaks: ['CK-10', 'RD-04'],
    },
    {
      id: 'http/null-without-body',
      in: 'toText',
      find: '=== undefined',
      replace: '== null',
      breaks: ['WIR-007'],
    },
  ]),
  ...mutantsOf('src/http/respond.ts', [
    {
      id: 'embedding/session-cookies-cacheable',
      in: 'keepFromCaches',
      find: 'cookies.length === 0',
      replace: 'cookies.length >= 0',
      breaks: ['EMB-015'],
    },
  ]),
]
