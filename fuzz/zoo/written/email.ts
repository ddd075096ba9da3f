import type { Mutant } from '../mutant.ts'

const request = 'src/steps/email-request.ts'
const verification = 'src/steps/email-verification.ts'
const token = 'src/email/link-token.ts'
const credentials = 'src/steps/credentials.ts'
const message = 'src/providers/mail/message.ts'
const smtp = 'src/providers/nodemailer.ts'
const sender = 'src/providers/mail/http-sender.ts'

/** Faults of sign-in by mail and by what was typed. */
export const mutants: readonly Mutant[] = [
  {
    id: 'email/raw-token-stored',
    file: token,
    find: 'sha256Hex(`${token}${secret}${scope}`)',
    replace: 'token',
    kills: ['SU-04', 'ATN-008'],
  },
  {
    id: 'email/guessable-token',
    file: token,
    find: 'randomHex(platform.randomBytes)',
    replace: "'0'.repeat(64)",
    kills: ['SU-05'],
  },
  {
    id: 'email/only-the-newest-secret',
    file: token,
    find: 'const secrets = own ? [own] : settings.secrets\n',
    replace: 'const secrets = own ? [own] : settings.secrets.slice(0, 1)\n',
    kills: ['SU-14', 'RO-03', 'DEC-25a'],
  },
  {
    id: 'email/links-of-any-provider',
    file: token,
    find: 'kinds.length > 1 ? `:${provider.id}` : ',
    replace: "'' + ",
    kills: ['SU-15', 'DEC-05d'],
  },
  {
    id: 'email/never-too-old',
    file: verification,
    find: 'if (expiryOf(taken) > world.platform.now())',
    replace: 'if (expiryOf(taken) > 0)',
    kills: ['SU-03'],
  },
  {
    id: 'email/valid-at-its-end',
    file: verification,
    find: 'if (expiryOf(taken) > world.platform.now())',
    replace: 'if (expiryOf(taken) >= world.platform.now())',
    kills: ['SU-03'],
  },
  {
    id: 'email/previews-use-links-up',
    file: verification,
    find: "if (isPreview(visit.request.headers)) return { type: 'link.previewed' }",
    replace: '',
    kills: ['SU-10', 'DEC-28c'],
  },
  {
    id: 'email/confirm-ignored',
    file: verification,
    find: 'if (!mailProvider.config.confirm) return',
    replace: 'return',
    kills: ['DEC-28d', 'SU-10', 'TX-21'],
  },
  {
    id: 'email/last-of-two-tokens',
    file: verification,
    find: ' && twice.length === 0',
    replace: '',
    kills: ['TX-12', 'DEC-08', 'SU-13'],
  },
  {
    id: 'email/first-of-two-addresses',
    file: verification,
    find: 'return isUsable ? { token, email } : undefined',
    replace: "return isUsable ? { token, email: email.split(',')[0] ?? '' } : undefined",
    kills: ['SU-02'],
  },
  {
    id: 'email/address-of-the-store-not-compared',
    file: verification,
    find: 'if (!taken || taken.identifier !== identifier || taken.token !== token) continue',
    replace: 'if (!taken) continue',
    kills: ['SU-02'],
  },
  {
    id: 'email/missing-row-passes',
    file: verification,
    find: 'if (!taken || taken.identifier !== identifier || taken.token !== token) continue',
    replace: "if (!taken) return { type: 'token.consumed' }",
    kills: ['SU-01', 'SU-04', 'SU-13'],
  },
  {
    id: 'email/proven-again-and-again',
    file: verification,
    find: "if (member.emailVerified) return { type: 'address.proven', member }",
    replace: '',
    kills: ['EM-10', 'AL-07'],
  },
  {
    id: 'email/new-users-unproven',
    file: verification,
    find: '{ ...user, emailVerified: new Date(world.platform.now()) }',
    replace: '{ ...user, emailVerified: null }',
    kills: ['EM-10', 'ATN-009'],
  },
  {
    id: 'email/no-user-announced',
    file: verification,
    find: "world.out.announce({ event: 'createUser', message: { user: createdUser } })",
    replace: '',
    kills: ['AL-07', 'ATN-009'],
  },
  {
    id: 'email/address-not-normalised',
    file: 'src/email/provider-address.ts',
    find: 'return canonicaliseAddress(raw)',
    replace: 'return raw',
    kills: ['EM-02', 'EM-04', 'EM-05', 'DEC-29a'],
  },
  {
    id: 'email/own-normaliser-ignored',
    file: 'src/email/provider-address.ts',
    find: 'if (!config.normalizeIdentifier) return canonicaliseAddress(raw)',
    replace: 'return canonicaliseAddress(raw)',
    kills: ['EM-09'],
  },
  {
    id: 'email/verification-request-not-told',
    file: request,
    find: ', mailing: { verificationRequest: true } }',
    replace: ', mailing: undefined as never }',
    kills: ['CB-02', 'CBK-031', 'CBK-025'],
  },
  {
    id: 'email/unsent-link-left-working',
    file: request,
    find: 'await demandStore(world).useVerificationToken({ identifier, token })\n    return',
    replace: 'void token\n    return',
    kills: ['SU-11'],
  },
  {
    id: 'email/sender-of-nobody',
    file: request,
    find: 'from: config.from ?? defaultSender(visit)',
    replace: 'from: config.from',
    kills: ['DEC-03e'],
  },
  {
    id: 'mail/theme-unchecked',
    file: message,
    find: "readColour(theme.brandColor) ?? '#346df1'",
    replace: "theme.brandColor ?? '#346df1'",
    kills: ['EM-07'],
  },
  {
    id: 'mail/address-parsed-again',
    file: smtp,
    find: "to: { name: '', address: to }",
    replace: 'to',
    kills: ['EM-02'],
  },
  {
    id: 'mail/refusals-overlooked',
    file: sender,
    find: 'if (!response.ok) throw',
    replace: 'if (response.status === 0) throw',
    kills: ['SU-11'],
  },
  {
    id: 'credentials/anybody',
    file: credentials,
    find: '      if (!user)\n',
    replace: '      if (user === undefined)\n',
    kills: ['CB-06', 'ERR-004'],
  },
  {
    id: 'credentials/id-made-up',
    file: credentials,
    find: "  if (typeof text === 'string' && text !== '') return text\n",
    replace: '  return String(text)\n',
    kills: ['AL-08', 'DEC-13c'],
  },
  {
    id: 'credentials/own-errors-hidden',
    file: credentials,
    find: 'if (error instanceof AuthError && !(error instanceof InvalidProvider))',
    replace: 'if (error instanceof AuthError && error.type === ("" as never))',
    kills: ['CB-06', 'ERR-003'],
  },
  {
    id: 'credentials/row-for-anybody',
    file: credentials,
    find: "if (holder) return { type: 'member.found', holder }",
    replace: "return { type: 'member.found', holder: holder ?? (candidate as never) }",
    kills: ['DEC-18b'],
  },
]
