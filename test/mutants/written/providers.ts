import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in the provider presets. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/providers/gitlab.ts', [
    {
      id: 'providers/gitlab-unconfirmed-links',
      in: 'GitLab',
      find: 'profile.confirmed_at === null',
      replace: 'profile.confirmed_at === false',
      breaks: ['AL-01', 'AL-09'],
    },
  ]),
  ...mutantsOf('src/providers/eventbrite.ts', [
    {
      id: 'providers/eventbrite-unverified-links',
      in: 'Eventbrite',
      find: '?.verified === true',
      replace: '?.verified !== undefined',
      breaks: ['AL-09'],
    },
  ]),
  ...mutantsOf('src/providers/kakao.ts', [
    {
      id: 'providers/kakao-invalid-address-links',
      in: 'Kakao',
      find: '.every(',
      replace: '.some(',
      breaks: ['AL-09'],
    },
  ]),
  ...mutantsOf('src/providers/apple.ts', [
    {
      id: 'providers/name-not-guarded',
      in: 'toUser',
      find: 'user?.name ?? {}',
      replace: 'Object(user).name',
      breaks: ['PRV-017'],
    },
    {
      id: 'providers/apple-query',
      in: 'Apple',
      find: ", response_mode: 'form_post'",
      replace: '',
      breaks: ['WIR-020'],
    },
    {
      id: 'providers/apple-address-of-form',
      in: 'readResponse',
      find: '...profile,',
      replace: "...profile,\n...JSON.parse(response.get('user') || '{}'),",
      breaks: ['AL-09'],
    },
    {
      id: 'providers/apple-flag-as-it-came',
      in: 'readResponse',
      find: "String(profile.email_verified) === 'true'",
      replace: 'Boolean(profile.email_verified)',
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
  ...mutantsOf('src/provider-base/base.ts', [
    {
      id: 'providers/options-spread',
      in: 'openId',
      find: ', ...data,',
      replace: ', ...data, ...',
      breaks: ['PRV-025'],
    },
    {
      id: 'providers/id-by-address',
      in: 'makeUser',
      find: '(claims.id)',
      replace: '(claims.id) ?? readText(claims.email)',
      breaks: ['OI-18'],
    },
  ]),
  ...mutantsOf('src/providers/github.ts', [
    {
      id: 'providers/wrong-key',
      in: 'toUser',
      find: '(profile.id)',
      replace: '(profile.login)',
      breaks: ['PRV-017', 'REC-003'],
    },
    {
      id: 'providers/github-follows-redirects',
      in: 'get',
      find: ", redirect: 'manual'",
      replace: '',
      breaks: ['PRV-026'],
    },
    {
      id: 'providers/github-first-address',
      in: 'pickAddress',
      find: '.toSorted((a, b) => rank(b) - rank(a))',
      replace: '',
      breaks: ['AL-09'],
    },
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
    {
      id: 'providers/github-issuer-of-site',
      in: 'GitHub',
      find: '`${site}/login/oauth`',
      replace: 'site',
      breaks: ['OI-01'],
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
    { id: 'providers/plain-http', in: 'Google', find: ": 'https", replace: ": 'http", breaks: ['OI-16'] },
  ]),
  ...mutantsOf('src/providers/keycloak.ts', [
    {
      id: 'providers/duplicate-id',
      in: 'Keycloak',
      find: ": 'keycloak",
      replace: ": 'auth0",
      breaks: ['PRV-002'],
    },
  ]),
  ...mutantsOf('src/providers/microsoft-entra-id.ts', [
    {
      id: 'providers/entra-any-tenant',
      in: 'MicrosoftEntraID',
      find: "sharedIssuers.get(issuer.replace(/\\/$/, ''))",
      replace: '`${host}/{tenantid}/v2.0`',
      breaks: ['OI-21', 'DEC-09d'],
    },
    {
      id: 'providers/entra-any-tenants-addresses-link',
      in: 'MicrosoftEntraID',
      find: 'issuerTemplate ? judgeAddress(profile) : profile',
      replace: 'profile',
      breaks: ['AL-01', 'AL-09'],
    },
    {
      id: 'providers/entra-claim-ignored',
      in: 'judgeAddress',
      find: "['true', '1'].includes(String(profile.xms_edov))",
      replace: 'profile.xms_edov !== undefined',
      breaks: ['AL-01', 'AL-09'],
    },
    {
      id: 'providers/entra-photo-demanded',
      in: 'addPhoto',
      find: 'catch { return profile }',
      replace: 'finally {\n}',
      breaks: ['FI-07'],
    },
    {
      id: 'providers/entra-photo-size',
      in: 'MicrosoftEntraID',
      find: 'options.profilePhotoSize ??',
      replace: '',
      breaks: ['PRV-017'],
    },
  ]),
  ...mutantsOf('src/providers/nodemailer.ts', [
    {
      id: 'mail/address-parsed-again',
      in: 'sendVerificationRequest',
      find: ": { name: '', address: to }",
      replace: '',
      breaks: ['EM-02'],
    },
  ]),
  ...mutantsOf('src/providers/passkey.ts', [
    {
      id: 'webauthn/passkey-without-verification',
      in: 'Passkey',
      find: "', userVerification: 'required",
      replace: "', userVerification: 'preferred",
      breaks: ['WA-04'],
    },
    {
      id: 'webauthn/options-lost',
      in: 'Passkey',
      find: 'options,',
      replace: '',
      breaks: ['PRV-002', 'WA-04'],
    },
  ]),
  ...mutantsOf('src/provider-base/preset.ts', [
    {
      id: 'providers/id-as-it-came',
      in: 'readText',
      find: 'Number.isSafeInteger(claim) ? String(claim) : undefined',
      replace: 'String(claim)',
      breaks: ['DEC-13a', 'DEC-13b', 'OI-18'],
    },
    {
      id: 'providers/empty-id',
      in: 'readText',
      find: "&& claim !== ''",
      replace: '',
      breaks: ['DEC-13a', 'OI-18', 'PRV-017'],
    },
    {
      id: 'providers/github-global-fetch',
      in: 'fetchOf',
      find: "throw new TypeError('A provider hook needs a fetch under the customFetch symbol')",
      replace: 'return fetch',
      breaks: ['PRV-026'],
    },
  ]),
  ...mutantsOf('src/providers/webauthn.ts', [
    {
      id: 'webauthn/another-timeout',
      in: 'DEFAULT_WEBAUTHN_TIMEOUT',
      find: '= 300_000',
      replace: '= 60_000',
      breaks: ['WIR-048'],
    },
    {
      id: 'webauthn/peer-missing-unnamed',
      in: 'load',
      find: 'throw new InvalidConfig(',
      replace: 'throw error\nnew InvalidConfig(',
      breaks: ['DEC-30a'],
    },
  ]),
]
