import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in checking responses, id tokens and profiles, and in the provider presets. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/flows/oauth/identity.ts', [
    {
      id: 'oauth/unsigned-by-registration',
      in: 'verifyIdToken',
      find: 'await verifySignature',
      replace: 'idToken.endsWith(".") ? undefined : await verifySignature',
      breaks: ['OI-07', 'OI-32'],
    },
  ]),
  ...mutantsOf('src/oauth/fetch-userinfo.ts', [
    {
      id: 'oauth/userinfo-of-anybody',
      in: 'checkSubject',
      find: '(subject === undefined || userinfo.sub !== subject)',
      replace: 'subject === undefined',
      breaks: ['OI-12'],
    },
    {
      id: 'oauth/userinfo-signature-unverified',
      in: 'checkUserinfo',
      find: 'await verifySignature(jwt, declared, provider, server, context)',
      replace: 'undefined',
      breaks: ['OI-07'],
    },
  ]),
  ...mutantsOf('src/oauth/id-token.ts', [
    {
      id: 'oauth/issuer-of-the-token',
      in: 'expectIssuer',
      find: 'return server.issuer',
      replace: 'return String(decodeJwt(idToken).iss)',
      breaks: ['OI-01'],
    },
    {
      id: 'oauth/tenant-issuer-of-the-token',
      in: 'expectIssuer',
      find: 'template.replace(placeholder, () => tenant)',
      replace: 'String(decodeJwt(idToken).iss)',
      breaks: ['OI-21', 'DEC-09d'],
    },
    {
      id: 'oauth/tenants-ignored',
      in: 'checkClaims',
      find: '!provider.tenants.some((tenant) => tenant === tid)',
      replace: 'tid === undefined',
      breaks: ['OI-21', 'DEC-09e'],
    },
    {
      id: 'oauth/azp-unchecked',
      in: 'checkClaims',
      find: '!== undefined && azp !== provider.clientId',
      replace: "=== ''",
      breaks: ['OI-02'],
    },
    {
      id: 'oauth/subject-of-any-shape',
      in: 'checkClaims',
      find: '[\\x20-\\x7e]{1,255}',
      replace: '[^]*',
      breaks: ['OI-05'],
    },
    {
      id: 'oauth/subject-too-short-a-limit',
      in: 'checkClaims',
      find: '{1,255}',
      replace: '{1,254}',
      breaks: ['OI-05'],
    },
    {
      id: 'advisories/unsigned-is-signed',
      in: 'verifySignature',
      find: 'const uri',
      replace: "if (decodeProtectedHeader(jwt).alg === 'none') return undefined\nconst uri",
      breaks: ['OI-06', 'OI-07', 'OI-32'],
    },
    {
      id: 'oauth/keys-forever',
      in: 'keySets',
      find: '10 * 60 * 1000',
      replace: 'Number.POSITIVE_INFINITY',
      breaks: ['DEC-09b', 'LM-06', 'DEC-33e', 'OI-33'],
    },
    {
      id: 'oauth/key-always-named',
      in: 'verifyWith',
      find: 'await compactVerify(jwt, find, options)',
      replace:
        "await compactVerify(jwt, ({ kid = 'none', ...rest }, token) => find({ ...rest, kid }, token), options)",
      breaks: ['OI-26'],
    },
    {
      id: 'oauth/hs256-never',
      in: 'verifySignature',
      find: "=== 'HS256",
      replace: "=== 'never",
      breaks: ['DEC-09c'],
    },
    {
      id: 'oauth/hs256-unverified',
      in: 'verifySignature',
      find: 'await jose.compactVerify',
      replace: '((...unread: readonly unknown[]) => unread)',
      breaks: ['OI-07'],
    },
    {
      id: 'oauth/keys-not-discovered',
      in: 'findKeysUri',
      find: "await discoverServer(provider, 'jwks', context)",
      replace: '{ server }',
      breaks: ['DEC-09a', 'OI-07'],
    },
    {
      id: 'faults/late-keys-are-good-keys',
      in: 'verifySignature',
      find: 'verifyByKeys(jwt, uri, provider, context)',
      replace:
        "verifyByKeys(jwt, uri, provider, context).catch((error: Error) => { if (!error.message.includes('within')) throw error })",
      breaks: ['FI-05'],
    },
  ]),
  ...mutantsOf('src/oauth/check-response.ts', [
    {
      id: 'oauth/state-unchecked',
      in: 'validateResponse',
      find: 'state ??',
      replace: '',
      breaks: ['TX-02', 'TX-11'],
    },
    {
      id: 'oauth/issuer-parameter-forgotten',
      in: 'validateResponse',
      find: 'server, client',
      replace:
        "{ ...server, issuer: parameters.get('iss') ?? server.issuer, authorization_response_iss_parameter_supported: false }, client",
      breaks: ['TX-06'],
    },
    {
      id: 'oidc/state-not-compared',
      in: 'validateResponse',
      find: 'state ??',
      replace: '',
      breaks: ['TX-02'],
    },
  ]),
  ...mutantsOf('src/oauth/read-profile.ts', [
    {
      id: 'advisories/account-id-folded',
      in: 'readMapped',
      find: ', providerAccountId',
      replace: ', providerAccountId: providerAccountId.toLowerCase()',
      breaks: ['OI-19'],
    },
    {
      id: 'oauth/id-of-nobody',
      in: 'readId',
      find: ".trim() === '' || id.length > longestId || nobody.includes(id)",
      replace: " === '' || id.length > longestId",
      breaks: ['OI-18', 'DEC-13a'],
    },
    {
      id: 'oauth/ids-in-lower-case',
      in: 'readId',
      find: ': id',
      replace: ': id.toLowerCase()',
      breaks: ['OI-18', 'DEC-13b'],
    },
    {
      id: 'oauth/user-id-of-the-provider',
      in: 'readMapped',
      find: 'formatUuid(platform.randomBytes(16))',
      replace: 'providerAccountId',
      breaks: ['OI-17'],
    },
    {
      id: 'oauth/address-as-it-came',
      in: 'readMapped',
      find: 'canonicaliseEmail(rawEmail)',
      replace: 'rawEmail',
      breaks: ['DEC-13d', 'EM-05'],
    },
    {
      id: 'oauth/account-by-provider-name',
      in: 'readMapped',
      find: 'id, type: provider.type',
      replace: "name, type: 'oauth'",
      breaks: ['REC-002', 'REC-003', 'REC-006'],
    },
  ]),
  ...mutantsOf('src/providers/gitlab.ts', [
    {
      id: 'providers/gitlab-unconfirmed-links',
      in: 'GitLab',
      find: 'profile.confirmed_at === null',
      replace: 'profile.confirmed_at === false',
      breaks: ['AL-01', 'AL-09'],
    },
  ]),
  ...mutantsOf('src/providers/apple.ts', [
    {
      id: 'providers/apple-address-of-form',
      in: 'readResponse',
      find: '...profile,',
      replace: "...profile,\n...JSON.parse(response.get('user') || '{}'),",
      breaks: ['AL-09'],
    },
    {
      id: 'providers/apple-form-not-guarded',
      in: 'parse',
      find: 'catch { return undefined }',
      replace: 'finally {\n}',
      breaks: ['FI-07'],
    },
  ]),
  ...mutantsOf('src/providers/github.ts', [
    {
      id: 'providers/github-all-addresses-proven',
      in: 'pickAddress',
      find: 'best.verified',
      replace: 'true',
      breaks: ['AL-09'],
    },
    {
      id: 'providers/github-status-unread',
      in: 'readUser',
      find: '(!answer.ok)',
      replace: '(answer.status === 401)',
      breaks: ['OI-13'],
    },
  ]),
  ...mutantsOf('src/providers/google.ts', [
    {
      id: 'providers/label-is-id',
      in: 'Google',
      find: ": 'Google",
      replace: ": 'google",
      breaks: ['PRV-003'],
    },
  ]),
  ...mutantsOf('src/providers/microsoft-entra-id.ts', [
    {
      id: 'providers/entra-any-tenants-addresses-link',
      in: 'MicrosoftEntraID',
      find: 'issuerTemplate ? checkAddress(profile) : profile',
      replace: 'profile',
      breaks: ['AL-01', 'AL-09'],
    },
    {
      id: 'providers/entra-photo-demanded',
      in: 'addPhoto',
      find: 'catch { return profile }',
      replace: 'finally {\n}',
      breaks: ['FI-07'],
    },
  ]),
]
