import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in parsing requests and writing responses. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/http/callback-url.ts', [
    {
      id: 'http/redirect-by-prefix',
      in: 'isOfOrigin',
      find: 'target.startsWith(`${origin}/`)',
      replace: 'target.startsWith(origin)',
      breaks: ['RD-10', 'RD-01', 'WIR-053', 'CBK-016'],
    },
    {
      id: 'http/redirect-unjudged',
      in: 'isOfOrigin',
      find: 'target === origin || target.startsWith(`${origin}/`)',
      replace: 'origin !== undefined',
      breaks: ['RD-01', 'RD-02', 'RD-10'],
    },
    {
      id: 'http/callback-url-throws',
      in: 'parseCallbackUrl',
      find: '= tryUrl',
      replace: '= new URL',
      breaks: ['RD-04', 'DEC-31e'],
    },
    {
      id: 'http/callback-url-not-a-string',
      in: 'parseCallbackUrl',
      find: "if (typeof value !== 'string' ||",
      replace:
        "if (typeof value === 'object' && value) return parseCallbackUrl(String(value), origin)\nif (typeof value !== 'string' ||",
      breaks: ['RD-04'],
    },
  ]),
  ...mutantsOf('src/http/csrf.ts', [
    {
      id: 'http/csrf-hash-unchecked',
      in: 'readCsrf',
      find: 'equalsInConstantTime(hash, given)',
      replace: 'hash.length === given.length',
      breaks: ['TX-18', 'RO-03', 'DEC-25c'],
    },
    {
      id: 'http/csrf-loose-comparison',
      in: 'matchesCsrf',
      find: "typeof submitted === 'string' && equalsInConstantTime(token, submitted)",
      replace: 'equalsInConstantTime(token, String(submitted))',
      breaks: ['TX-18'],
    },
    {
      id: 'http/csrf-prefix-comparison',
      in: 'matchesCsrf',
      find: 'equalsInConstantTime(token,',
      replace: 'token.startsWith(',
      breaks: ['TX-18'],
    },
    {
      id: 'http/csrf-secret-forgotten',
      in: 'sign',
      find: '`${token}${secret}`',
      replace: 'token',
      breaks: ['TX-18', 'RO-03', 'WIR-026', 'DEC-05a', 'DEC-05b', 'DEC-25c'],
    },
  ]),
  ...mutantsOf('src/http/parse-body.ts', [
    {
      id: 'http/pieces-uncounted',
      in: 'readBytes',
      find: '|| count > maxPieces',
      replace: '',
      breaks: ['LM-09'],
    },
    {
      id: 'http/large-body-ignored',
      in: 'parseBody',
      find: 'if (!bytes) return tooLarge',
      replace: 'if (!bytes) return emptyBody',
      breaks: ['LM-01', 'DEC-31d'],
    },
    {
      id: 'http/refused-body-unread',
      in: 'discardBody',
      find: '!body',
      replace: '!body || platform',
      breaks: ['DEC-65'],
    },
    {
      id: 'http/prototypes-within-bodies',
      in: 'dropPrototypes',
      find: 'dropPrototypes(member)',
      replace: '{}',
      breaks: ['LM-12'],
    },
    {
      id: 'http/endless-body',
      in: 'readBytes',
      find: 'isLate = true stop()',
      replace: '',
      breaks: ['DEC-34b'],
    },
    {
      id: 'http/duplicate-members-used',
      in: 'parseJson',
      find: 'members: countMembers(value)',
      replace: 'members: Infinity',
      breaks: ['LM-13'],
    },
    {
      id: 'http/body-throws',
      in: 'parseBody',
      find: 'catch { return badBody }',
      replace: "finally {\nrequest.headers.get('x')\n}",
      breaks: ['LM-07', 'DEC-31f'],
    },
    {
      id: 'http/duplicates-unknown',
      in: 'parseForm',
      find: 'repeated.push(name)',
      replace: 'repeated.pop()',
      breaks: ['TX-12', 'LM-07'],
    },
  ]),
  ...mutantsOf('src/http/rebuild-request.ts', [
    {
      id: 'http/rebuilt-body-is-empty',
      in: 'rebuildRequest',
      find: 'JSON.stringify(body)',
      replace: "'{}'",
      breaks: ['WIR-047'],
    },
  ]),
  ...mutantsOf('src/http/parse-visit.ts', [
    {
      id: 'http/base-without-slash',
      in: 'parseRoute',
      find: '`${basePath}/`',
      replace: 'basePath',
      breaks: ['HH-03', 'DEC-31b'],
    },
    {
      id: 'http/base-as-pattern',
      in: 'parseRoute',
      find: 'pathname.startsWith(`${basePath}/`)',
      replace: 'new RegExp(`^${basePath}/`).test(pathname)',
      breaks: ['HH-05'],
    },
    {
      id: 'http/doubled-slashes',
      in: 'parseRoute',
      find: ".split('/', 3)",
      replace: '.split(/\\/+/, 3)',
      breaks: ['HH-03'],
    },
    {
      id: 'http/webauthn-options-takes-none',
      in: 'withProvider',
      find: "kind !== 'none'",
      replace: "kind !== 'none' && action !== 'webauthn-options'",
      breaks: ['HH-03', 'WIR-002'],
    },
    {
      id: 'http/no-allow',
      in: 'parse',
      find: "allow: 'GET, POST',",
      replace: '',
      breaks: ['HH-04', 'DEC-31a'],
    },
    {
      id: 'http/forwarded-proto',
      in: 'parse',
      find: '...placeOf(origin, settings),',
      replace:
        "...placeOf(origin, settings), cookieTable: settings.cookies[request.headers.get('x-forwarded-proto') === 'https' ? 'secure' : 'plain'],",
      breaks: ['HH-01', 'CK-15'],
    },
    {
      id: 'http/secure-cookies-ignored',
      in: 'placeOf',
      find: 'settings.useSecureCookies ??',
      replace: '',
      breaks: ['CFG-041', 'CFG-042'],
    },
  ]),
  ...mutantsOf('src/http/parts.ts', [
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
      id: 'http/page-sniffed',
      in: 'pageHeaders',
      find: "'X-Content-Type-Options': 'nosniff',",
      replace: '',
      breaks: ['CK-13', 'DEC-32a'],
    },
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
      id: 'http/error-not-told',
      in: 'respond',
      find: '...(answer.showsError && { ok: false })',
      replace: '',
      breaks: ['WIR-006', 'EMB-001'],
    },
    {
      id: 'embedding/session-cookies-cacheable',
      in: 'keepFromCaches',
      find: 'cookies.length === 0',
      replace: 'cookies.length >= 0',
      breaks: ['EMB-015'],
    },
  ]),
]
