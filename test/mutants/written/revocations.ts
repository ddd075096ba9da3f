import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in listing and revoking sessions, in the revocation of JWT sessions, and in back-channel logout. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/features/backchannel-logout/logout-token.ts', [
    {
      id: 'backchannel/unsigned',
      in: 'checkLogoutToken',
      find: 'if (unsigned) return unsigned',
      replace: 'void unsigned',
      breaks: ['BCL-02'],
    },
    {
      id: 'backchannel/any-algorithm',
      in: 'checkLogoutToken',
      find: 'allowed?.includes(alg) ?? true',
      replace: 'true',
      breaks: ['BCL-02'],
    },
    {
      id: 'backchannel/sid-ignored',
      in: 'checkLogoutToken',
      find: '...(isText(sid) && { sid }),',
      replace: '',
      breaks: ['BCL-03'],
    },
  ]),
  ...mutantsOf('src/features/backchannel-logout/flow.ts', [
    {
      id: 'backchannel/unreachable-keys-as-a-forgery',
      in: 'verifyLogoutToken',
      find: "reason === 'claims.invalid' || reason === 'signature-invalid'",
      replace: "reason !== 'misconfigured'",
      breaks: ['BCL-01'],
    },
    {
      id: 'backchannel/any-provider-ends-sessions',
      in: 'readLogoutToken',
      find: "provider.kind === 'oauth' && provider.endsSessions ?",
      replace: "provider.kind === 'oauth' ?",
      breaks: ['BCL-02'],
    },
  ]),
  ...mutantsOf('src/features/backchannel-logout/feature.ts', [
    {
      id: 'backchannel/always-on',
      in: 'backchannelLogout',
      find: "each.kind === 'oauth' && each.endsSessions",
      replace: "each.kind === 'oauth'",
      breaks: ['BCL-01'],
    },
  ]),
  ...mutantsOf('src/session/provider-session.ts', [
    {
      id: 'backchannel/subject-of-any-provider',
      in: 'keyOf',
      find: '[kind, provider, name]',
      replace: "[kind, kind === 'sid' ? provider : '', name]",
      breaks: ['BCL-03'],
    },
  ]),
  ...mutantsOf('src/session/revocations.ts', [
    {
      id: 'revocations/entries-of-a-day',
      in: 'lifetime',
      find: 'Math.ceil(jwt.maxAge)',
      replace: 'Math.min(Math.ceil(jwt.maxAge), 86_400)',
      breaks: ['SE-10', 'POL-03'],
    },
    {
      id: 'revocations/entry-as-long-as-the-token-that-was-sent',
      in: 'revokeToken',
      find: 'forever, lifetime(settings)',
      replace: 'forever, Math.ceil(Number(claims.exp) - settings.platform.now() / 1000) + allowance',
      breaks: ['SE-10'],
    },
    {
      id: 'revocations/entry-as-long-as-the-session-that-changes-the-account',
      in: 'revokeUser',
      find: 'await list.add(user, now, lifetime(settings))',
      replace:
        "await list.add(user, now, except ? Math.ceil(Number(except['exp']) - now / 1000) + allowance : lifetime(settings))",
      breaks: ['POL-03'],
    },
    {
      id: 'backchannel/running-callback-escapes',
      in: 'isListed',
      find: '>= opened.issuedAt',
      replace: '>= at / 1000 && opened.issuedAt > 0',
      breaks: ['BCL-04', 'BCL-05'],
    },
    {
      id: 'revocations/any-value',
      in: 'readValues',
      find: ' && found.every(isValue)',
      replace: ' && (void isValue, true)',
      breaks: ['OPT-049'],
    },
  ]),
  ...mutantsOf('src/features/backchannel-logout/options.ts', [
    {
      id: 'backchannel/discovery-documents-not-compared',
      in: 'issuerOf',
      find: "issuer || wellKnown?.replace(/\\/\\.well-known\\/openid-configuration$/, '')",
      replace: 'issuer || wellKnown?.slice(0, 8)',
      breaks: ['BCL-06'],
    },
    {
      id: 'backchannel/twins-accepted',
      in: 'checkLogouts',
      find: 'twin !== undefined',
      replace: 'twin === what',
      breaks: ['BCL-06'],
    },
  ]),
  ...mutantsOf('src/flows/shared/recognition.ts', [
    {
      id: 'revocations/not-asked',
      in: 'isRefused',
      find: 'revocations ? whenReady(refused, (revoked) => revoked || isListed(token, settings)) : refused',
      replace: '(void revocations, void isListed, void token, refused)',
      breaks: ['OPT-047', 'OPT-048', 'SE-10', 'CC-03'],
    },
  ]),
  ...mutantsOf('src/adapters/kysely-revocations.ts', [
    {
      id: 'revocations/sql-lowest-value',
      in: 'find',
      find: "fn.max('value')",
      replace: "fn.min('value')",
      breaks: ['OPT-050'],
    },
  ]),
  ...mutantsOf('src/handler/manage-sessions.ts', [
    {
      id: 'manage/event-of-expired-session',
      in: 'announce',
      find: 'ended.filter((session) => isLive(session, opened.settings))',
      replace: '(void isLive, ended)',
      breaks: ['OPT-044', 'OPT-041'],
    },
    {
      id: 'manage/undefined-user-id',
      in: 'open',
      find: 'if (!isId(userId))',
      replace: "if (userId === '')",
      breaks: ['OPT-045'],
    },
  ]),
  ...mutantsOf('src/session/remove-user.ts', [
    {
      id: 'manage/tokens-of-deleted-user-left',
      in: 'removeUser',
      find: `if (!isStored && settings.jwt.revocations)
    await (await loadRevocations()).revokeUser(userId, settings)`,
      replace: '',
      breaks: ['SE-14', 'OPT-043'],
    },
    {
      id: 'manage/user-stays',
      in: 'removeUser',
      find: 'await store.deleteUser(userId)',
      replace: 'for (const { sessionToken } of ended) await store.deleteSession(sessionToken)',
      breaks: ['SE-14', 'OPT-043'],
    },
  ]),
  ...mutantsOf('src/flows/shared/issue-session.ts', [
    {
      id: 'backchannel/linked-provider-ends-the-token',
      in: 'makeRevocable',
      find: 'const opened = earlier ? readRevocable(earlier.token ?? {})?.opened : await findOpening(facts)',
      replace: 'const opened = await findOpening(facts)',
      breaks: ['BCL-03'],
    },
    {
      id: 'backchannel/linked-provider-ends-the-row',
      in: 'findRowOpening',
      find: "return earlier ? parseRow(earlier.session?.sessionToken ?? '').opening : findOpening(facts)",
      replace: 'return findOpening(facts)',
      breaks: ['BCL-03'],
    },
  ]),
  ...mutantsOf('src/flows/shared/revoke-held-tokens.ts', [
    {
      id: 'revocations/only-the-first-cookie',
      in: 'revokeHeldTokens',
      find: 'readCandidates(cookies, name)',
      replace: 'readCandidates(cookies, name).slice(0, 1)',
      breaks: ['SE-10'],
    },
  ]),
  ...mutantsOf('src/flows/shared/recognition.ts', [
    {
      id: 'revocations/callback-without-result',
      in: 'requireFlag',
      find: "if (typeof answer === 'boolean') return answer",
      replace: 'return answer === true',
      breaks: ['OPT-006'],
    },
    {
      id: 'revocations/callback-not-called',
      in: 'isRefused',
      find: 'isRevoked ? whenReady(settle(isRevoked({ ...token })), requireFlag) : false',
      replace: '(void isRevoked, void settle, void requireFlag, false)',
      breaks: ['OPT-006'],
    },
  ]),
]
