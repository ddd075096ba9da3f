import { faultsOf, type Mutant } from '../mutant.ts'

const fault = faultsOf('handler')
const csrf = 'src/steps/check-csrf.ts'
const admission = 'src/steps/admission.ts'
const askSignIn = 'src/steps/ask-sign-in.ts'

/** Faults of steps that several flows have in common. */
export const mutants: readonly Mutant[] = [
  fault(
    'csrf-from-query',
    csrf,
    'visit.body.csrfToken',
    "visit.body.csrfToken ?? visit.query.get('csrfToken')",
    'WIR-027',
    'TX-18',
  ),
  fault(
    'csrf-from-header',
    csrf,
    'visit.body.csrfToken',
    "visit.body.csrfToken ?? visit.request.headers.get('x-csrf-token')",
    'WIR-027',
    'TX-18',
  ),
  fault(
    'csrf-by-header',
    csrf,
    "visit.method === 'GET'",
    "visit.method === 'GET' || visit.request.headers.has('x-middleware-subrequest')",
    'HH-06',
  ),
  fault(
    'denial-without-cause',
    askSignIn,
    ': new AccessDenied(asError(error))',
    ": new AccessDenied('The signIn callback failed')",
    'ERR-009',
    'DEC-02a',
  ),
  fault(
    'denial-by-redirect',
    askSignIn,
    'new URL(answer, origin).href',
    'new URL(new URL(answer, origin).pathname, origin).href',
    'ERR-011',
    'DEC-02f',
  ),
  fault(
    'false-lets-in',
    askSignIn,
    "if (answer) return { type: 'signin.allowed' }",
    "if (answer !== undefined) return { type: 'signin.allowed' }",
    'ERR-010',
    'WIR-008',
  ),
  fault(
    'state-not-for-the-proxy',
    'src/oauth/checks.ts',
    'const needsState = wantsState || !hasS256',
    'const needsState = !hasS256',
    'CFG-031',
  ),
  fault(
    'account-of-nobody',
    admission,
    "return readUser(await store.getUserByAccount({ provider, providerAccountId }), 'getUserByAccount')",
    'return null',
    'ADP-010',
  ),
  fault(
    'account-unlinked',
    admission,
    "return readUser(await store.getUserByAccount({ provider, providerAccountId }), 'getUserByAccount')",
    "const owner = readUser(await store.getUserByAccount({ provider, providerAccountId }), 'getUserByAccount')\n  if (owner && store.has('unlinkAccount')) await store.unlinkAccount({ provider, providerAccountId })\n  return owner",
    'ADP-012',
  ),
  fault(
    'user-deleted',
    'src/steps/sign-out.ts',
    "return { type: 'session.revoked'",
    "const { userId } = (session ?? {}) as { userId?: string }\n    const store = demandStore(world)\n    if (userId && store.has('deleteUser')) await store.deleteUser(userId)\n    return { type: 'session.revoked'",
    'DEC-02i',
  ),
  fault(
    'update-untold',
    'src/steps/present-session.ts',
    '      ...(update && { trigger: update.trigger, newSession: update.data }),\n',
    '',
    'DEC-02h',
  ),
  fault(
    'update-of-token-untold',
    'src/steps/present-token.ts',
    '      ...(update && { trigger: update.trigger, newSession: update.data }),\n',
    '',
    'DEC-02h',
  ),
  fault(
    'session-id-shown',
    'src/steps/present-session.ts',
    'body: body ?? null }',
    'body: { ...(body as object), id: visit.cookies.get(visit.cookieTable.sessionToken.name) } }',
    'IL-06',
  ),
  fault(
    'session-unsealed',
    'src/session/session-token.ts',
    'if (!jwt.encode) return keys.seal(claims, { salt, maxAge, now })',
    'if (!jwt.encode) return btoa(JSON.stringify(claims))',
    'CFG-018',
  ),
  fault(
    'credentials-wrapped',
    'src/steps/credentials.ts',
    "return { type: 'credentials.refused', failure: error }",
    "return { type: 'credentials.refused', failure: new CredentialsSignin('authorize refused') }",
    'ERR-003',
    'ERR-005',
    'ERR-008',
  ),
  fault(
    'proven-again',
    'src/steps/email-verification.ts',
    "    if (member.emailVerified) return { type: 'address.proven', member }\n",
    '',
    'DEC-02e',
    'EM-10',
  ),
  fault(
    'hash-without-provider',
    'src/email/link-token.ts',
    'kinds.length > 1 ?',
    'kinds.length > 99 ?',
    'DEC-05d',
  ),
  fault(
    'hash-with-provider',
    'src/email/link-token.ts',
    'kinds.length > 1 ?',
    'kinds.length > 0 ?',
    'DEC-05d',
  ),
]
