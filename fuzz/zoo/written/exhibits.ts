import type { Mutant } from '../mutant.ts'

/** What went wrong elsewhere, put into this library: one for each invariant that a written fault of its own was missing. */
export const mutants: readonly Mutant[] = [
  {
    id: 'exhibits/wrong-base-path-is-not-there',
    file: 'src/handler/answer-without-flow.ts',
    find: '  if (status === 404 && settings.fault) return answerMisconfigured(settings.fault)\n',
    replace: '',
    kills: ['CF-01'],
  },
  {
    id: 'exhibits/check-of-any-provider',
    file: 'src/session/check-cookies.ts',
    find: ' || mintedFor !== provider) return undefined\n    return {\n      value,\n      provider,',
    replace: ') return undefined\n    return {\n      value,\n      provider: String(mintedFor),',
    kills: ['TX-05', 'TX-07'],
  },
  {
    id: 'exhibits/error-page-leads-on',
    file: 'src/handler/answer.ts',
    find: "  page.searchParams.set('error', isClientError(error) ? error.type : 'Configuration')",
    replace:
      "  page.searchParams.set('error', isClientError(error) ? error.type : 'Configuration')\n  for (const [name, value] of visit.query) if (name !== 'error') page.searchParams.set(name, value)",
    kills: ['RD-08'],
  },
  {
    id: 'exhibits/mailed-before-it-is-allowed',
    file: 'src/steps/ask-sign-in.ts',
    find: 'settle<unknown>(ask())',
    replace: 'mailing ? [ask()] : settle<unknown>(ask())',
    kills: ['SU-12'],
  },
  {
    id: 'exhibits/refused-and-admitted',
    file: 'src/steps/ask-sign-in.ts',
    find: "      (error) => ({\n        type: 'user.denied',\n        failure: error instanceof AuthError ? error : new AccessDenied(asError(error)),\n      }),",
    replace: "      () => ({ type: 'signin.allowed' }),",
    kills: ['CB-05', 'SE-23'],
  },
  {
    id: 'exhibits/link-on-the-host-of-the-request',
    file: 'src/steps/email-request.ts',
    find: 'url: `${visit.base}/callback/${id}?${query}`',
    replace:
      "url: `${visit.base.replace(new URL(visit.base).host, visit.request.headers.get('x-forwarded-host') ?? new URL(visit.base).host)}/callback/${id}?${query}`",
    kills: ['EM-08'],
  },
  {
    id: 'exhibits/mailed-though-nothing-is-stored',
    file: 'src/steps/email-request.ts',
    find: 'await demandStore(world).createVerificationToken({ identifier, token, expires })',
    replace:
      'await Promise.resolve().then(() => demandStore(world).createVerificationToken({ identifier, token, expires })).catch(() => undefined)',
    kills: ['SU-11'],
  },
  {
    id: 'exhibits/unknown-address-told',
    file: 'src/steps/email-request.ts',
    find: "    if (!addressee) return { type: 'addressee.unknown', candidate, account }",
    replace:
      "    if (!addressee) world.out.setCookies([{ name: 'new-here', value: '1', options: { path: '/' } }])\n    if (!addressee) return { type: 'addressee.unknown', candidate, account }",
    kills: ['IL-01'],
  },
  {
    id: 'exhibits/second-owner-told-it-worked',
    file: 'src/steps/admission.ts',
    find: 'if (failure && !isSameId((await readOwner(account, store))?.id, member.id))',
    replace: 'if (failure && !madeNow && (await readOwner(account, store)) === null)',
    kills: ['AL-02', 'CC-01'],
  },
  {
    id: 'exhibits/address-before-account',
    file: 'src/steps/admission.ts',
    find: "  needs: ['account'],\n  says: { 'owner.found': ['owner'], 'owner.unknown': [], 'owner.unsought': [] },\n  run({ account }, { store }) {\n    if (!store) return { type: 'owner.unsought' }\n    return readOwner(account, store).then(",
    replace:
      "  needs: ['account', 'candidate'],\n  says: { 'owner.found': ['owner'], 'owner.unknown': [], 'owner.unsought': [] },\n  run({ account, candidate }, { store }) {\n    if (!store) return { type: 'owner.unsought' }\n    const read = async () => (candidate.email && readUser(await store.getUserByEmail(candidate.email), 'getUserByEmail')) || readOwner(account, store)\n    return read().then(",
    kills: ['AL-06', 'AL-01'],
  },
  {
    id: 'exhibits/linked-to-whoever-is-signed-in',
    file: 'src/steps/admission.ts',
    find: '    const started = isSameId(checks.startedBy, currentUser?.id) ? currentUser : undefined\n    const byAddress',
    replace: '    const started = currentUser\n    const byAddress',
    kills: ['AL-10'],
  },
  {
    id: 'exhibits/address-proven-by-a-claim',
    file: 'src/steps/admission.ts',
    find: 'store.createUser({ ...candidate, emailVerified: null } as',
    replace: 'store.createUser({ ...candidate, emailVerified: new Date(world.platform.now()) } as',
    kills: ['AL-09', 'EM-10'],
  },
  {
    id: 'exhibits/extension-by-what-was-asked',
    file: 'src/steps/present-session.ts',
    find: "return { type: left <= maxAge - updateAge ? 'session.due' : 'session.fresh' }",
    replace: "return { type: left <= maxAge ? 'session.due' : 'session.fresh' }",
    kills: ['SE-06', 'CC-05'],
  },
  {
    id: 'exhibits/session-though-its-row-failed',
    file: 'src/steps/issue-session.ts',
    find: "    await store.createSession({ sessionToken, userId: user.id ?? '', expires }),",
    replace:
      "    await Promise.resolve(store.createSession({ sessionToken, userId: user.id ?? '', expires })).catch(() => ({ sessionToken, userId: user.id ?? '', expires })),",
    kills: ['FI-01'],
  },
  {
    id: 'exhibits/sign-ins-remembered',
    file: 'src/steps/sign-in.ts',
    find: '    const values = mintValues(wanted, world.platform)\n',
    replace:
      "    const values = mintValues(wanted, world.platform)\n    void world.store?.createVerificationToken({ identifier: 'sign-in', token: String(values.codeVerifier), expires: new Date(8.64e15) })\n",
    kills: ['LM-05'],
  },
  {
    id: 'exhibits/account-id-folded',
    file: 'src/oauth/map-profile.ts',
    find: 'account: { ...stored, provider: provider.id, type: provider.type, providerAccountId },',
    replace:
      'account: { ...stored, provider: provider.id, type: provider.type, providerAccountId: providerAccountId.toLowerCase() },',
    kills: ['OI-19'],
  },
  {
    id: 'exhibits/unsigned-is-signed',
    file: 'src/oauth/verify-signature.ts',
    find: '    const uri = await findKeysUri(provider, server, context)\n',
    replace:
      "    if (jose.decodeProtectedHeader(jwt).alg === 'none') return undefined\n    const uri = await findKeysUri(provider, server, context)\n",
    kills: ['OI-06', 'OI-07'],
  },
  {
    id: 'exhibits/critical-unless-ours',
    file: 'src/token/compact.ts',
    find: "'crit' in header || ",
    replace: "(Array.isArray(header['crit']) && header['crit'].includes('b64')) || ",
    kills: ['OI-09', 'JW-03'],
  },
  {
    id: 'exhibits/tokens-of-the-response',
    file: 'src/oauth/exchange-code.ts',
    find: 'const body = response.status === 200 ? await readJson(response) : {}',
    replace:
      'const body = response.status === 200 ? { ...(await readJson(response)), ...Object.fromEntries(exchange.response) } : {}',
    kills: ['OI-20'],
  },
  {
    id: 'exhibits/link-told-to-the-log',
    file: 'src/steps/email-verification.ts',
    find: "new Verification('The link is unknown, or was used before')",
    replace: 'new Verification(`The link ${linkToken} is unknown, or was used before`)',
    kills: ['IL-02'],
  },
  {
    id: 'exhibits/link-parts-made-texts',
    file: 'src/steps/email-verification.ts',
    find: 'const token = isForm ? body.token :',
    replace: "const token = isForm ? String(body.token ?? '') :",
    kills: ['SU-13'],
  },
  {
    id: 'exhibits/conflict-taken-for-done',
    file: 'src/steps/email-verification.ts',
    find: "      return { type: 'user.conflicting', conflict: asError(error) }",
    replace:
      "      asError(error)\n      return { type: 'user.created', createdUser: { ...user, emailVerified: null }, member: { ...user, emailVerified: null } }",
    kills: ['CC-02'],
  },
  {
    id: 'exhibits/signed-out-of-the-browser-alone',
    file: 'src/steps/sign-out.ts',
    find: '(await demandStore(world).deleteSession(heldCookie)) ?? null',
    replace: '(await demandStore(world).getSessionAndUser(heldCookie))?.session ?? null',
    kills: ['MD-02', 'SE-10'],
  },
  {
    id: 'exhibits/cleared-without-its-domain',
    file: 'src/cookies/cookie-change.ts',
    find: '{ ...cookie.options, maxAge: 0,',
    replace: '{ ...cookie.options, domain: undefined, maxAge: 0,',
    kills: ['CK-09'],
  },
  {
    id: 'exhibits/scripts-need-no-token',
    file: 'src/steps/check-csrf.ts',
    find: "visit.method === 'GET')",
    replace: "visit.method === 'GET' || visit.request.headers.has('x-auth-return-redirect'))",
    kills: ['TX-18', 'TX-17'],
  },
  {
    id: 'exhibits/an-origin-header-is-a-proof',
    file: 'src/steps/check-csrf.ts',
    find: "visit.method === 'GET')",
    replace: "visit.method === 'GET' || visit.request.headers.get('origin') === visit.origin)",
    kills: ['TX-18'],
  },
  {
    id: 'exhibits/a-referrer-is-a-proof',
    file: 'src/steps/check-csrf.ts',
    find: "visit.method === 'GET')",
    replace:
      "visit.method === 'GET' || visit.request.headers.get('referer')?.startsWith(`${visit.origin}/`))",
    kills: ['TX-18'],
  },
  {
    id: 'exhibits/fetch-metadata-is-a-proof',
    file: 'src/steps/check-csrf.ts',
    find: "visit.method === 'GET')",
    replace: "visit.method === 'GET' || visit.request.headers.get('sec-fetch-site') === 'same-origin')",
    kills: ['TX-18'],
  },
  {
    id: 'exhibits/profile-says-when-it-was-proven',
    file: 'src/steps/admission.ts',
    find: 'store.createUser({ ...candidate, emailVerified: null } as',
    replace: 'store.createUser({ emailVerified: null, ...candidate } as',
    kills: ['EM-10'],
  },
  {
    id: 'exhibits/a-flag-of-the-profile-is-a-proof',
    file: 'src/steps/admission.ts',
    find: 'store.createUser({ ...candidate, emailVerified: null } as',
    replace:
      "store.createUser({ ...candidate, emailVerified: Reflect.get(candidate, 'emailVerified') === true ? new Date(world.platform.now()) : null } as",
    kills: ['EM-10'],
  },
  {
    id: 'exhibits/linked-profile-is-a-proof',
    file: 'src/steps/admission.ts',
    find: "    if (madeNow) world.out.announce({ event: 'createUser', message: { user: madeNow } })\n",
    replace:
      "    if (madeNow) world.out.announce({ event: 'createUser', message: { user: madeNow } })\n    else if (Reflect.get(candidate, 'emailVerified')) await store.updateUser({ id: member.id, emailVerified: new Date(world.platform.now()) })\n",
    kills: ['EM-10'],
  },
  {
    id: 'exhibits/dots-folded-for-the-look-up',
    file: 'src/steps/email-request.ts',
    find: 'store.getUserByEmail(identifier)',
    replace: "store.getUserByEmail(identifier.replace(/\\.(?=.*@)/g, ''))",
    kills: ['EM-04'],
  },
  {
    id: 'exhibits/looked-up-as-typed',
    file: 'src/steps/email-request.ts',
    find: "    const addressee = readUser(await store.getUserByEmail(identifier), 'getUserByEmail')\n",
    replace:
      "    const addressee = readUser(await store.getUserByEmail(identifier.replace(/^./, (first) => first.toUpperCase())), 'getUserByEmail')\n",
    kills: ['EM-04'],
  },
  {
    id: 'exhibits/claimed-address-folded-for-the-look-up',
    file: 'src/steps/admission.ts',
    find: "      readUser(await store.getUserByEmail(candidate.email ?? ''), 'getUserByEmail')",
    replace:
      "      readUser(await store.getUserByEmail((candidate.email ?? '').replace(/\\.(?=.*@)/g, '')), 'getUserByEmail')",
    kills: ['EM-04'],
  },
  {
    id: 'exhibits/dots-folded-for-good',
    file: 'src/email/canonical-address.ts',
    find: 'const address = `${local}@${host}`',
    replace: "const address = `${local.replaceAll('.', '')}@${host}`",
    kills: ['EM-04', 'EM-05'],
  },
  {
    id: 'exhibits/token-under-another-spelling',
    file: 'src/steps/email-verification.ts',
    find: 'store.useVerificationToken({ identifier, token })',
    replace: "store.useVerificationToken({ identifier: identifier.replace(/\\.(?=.*@)/g, ''), token })",
    kills: ['EM-04'],
  },
  {
    id: 'exhibits/tags-folded-for-the-look-up',
    file: 'src/steps/email-request.ts',
    find: 'store.getUserByEmail(identifier)',
    replace: "store.getUserByEmail(identifier.replace(/\\+[^@]*/, ''))",
    kills: ['EM-04'],
  },
  {
    id: 'exhibits/pieces-before-the-whole',
    file: 'src/cookies/chunks.ts',
    find: '  if (plain) return plain\n',
    replace: '  if (plain && !cookies.get(`${name}.0`)) return plain\n',
    kills: ['CK-05', 'CK-07'],
  },
  {
    id: 'exhibits/pieces-behind-the-whole',
    file: 'src/cookies/chunks.ts',
    find: '  if (plain) return plain\n  const pieces: string[] = []\n',
    replace: '  const pieces: string[] = plain ? [plain] : []\n',
    kills: ['CK-05', 'CK-07'],
  },
  {
    id: 'exhibits/row-gone-and-shown',
    file: 'src/steps/present-session.ts',
    find: "    if (!stored) return { type: 'session.gone' }\n",
    replace: '',
    kills: ['SE-25', 'SE-07'],
  },
  {
    id: 'exhibits/silent-store-believed',
    file: 'src/steps/present-session.ts',
    find: 'answer ?? readSessionAndUser(await store.getSessionAndUser(heldCookie))?.session',
    replace: 'answer === undefined ? asked : answer',
    kills: ['SE-25', 'SE-07'],
  },
  {
    id: 'exhibits/failed-extension-shown',
    file: 'src/steps/present-session.ts',
    find: 'const answer = await store.updateSession({ sessionToken: heldCookie, expires })',
    replace:
      'const answer = await Promise.resolve(store.updateSession({ sessionToken: heldCookie, expires })).catch(() => session)',
    kills: ['SE-25', 'SE-07'],
  },
  {
    id: 'exhibits/one-check-says-who-started',
    file: 'src/steps/callback.ts',
    find: '  return users.every((user) => user === first) ? first : undefined\n',
    replace: '  return first\n',
    kills: ['AL-10'],
  },
  {
    id: 'exhibits/any-check-says-who-started',
    file: 'src/steps/callback.ts',
    find: '  return users.every((user) => user === first) ? first : undefined\n',
    replace: '  return first ?? users.find((user) => user !== undefined)\n',
    kills: ['AL-10'],
  },
  {
    id: 'exhibits/raced-link-switches-users',
    file: 'src/steps/admission.ts',
    find: '      const started = isSameId(checks.startedBy, currentUser?.id) ? currentUser : undefined\n      const never',
    replace:
      '      const started = isSameId(checks.startedBy, currentUser?.id) ? undefined : currentUser\n      const never',
    kills: ['AL-02'],
  },
  {
    id: 'exhibits/raced-link-to-whoever-is-signed-in',
    file: 'src/steps/admission.ts',
    find: '    const started = isSameId(checks.startedBy, currentUser?.id) ? currentUser : undefined\n    const byAddress',
    replace:
      '    const started = addressee || isSameId(checks.startedBy, currentUser?.id) ? currentUser : undefined\n    const byAddress',
    kills: ['AL-10'],
  },
]
