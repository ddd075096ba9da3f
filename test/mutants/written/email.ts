import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in e-mail addresses, links and codes by mail, and changes of the address. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/features/email-change/link.ts', [
    {
      id: 'email-changes/address-of-the-form',
      in: 'openLink',
      find: 'identifier: link.address,',
      replace: "identifier: typeof visit.body.email === 'string' ? visit.body.email : link.address,",
      breaks: ['CC-10'],
    },
    {
      id: 'email-changes/links-for-a-year',
      in: 'storeToken',
      find: 'const { maxAge } = chosenOptions(world)',
      replace: 'const maxAge = chosenOptions(world).maxAge * 8766',
      breaks: ['EC-03'],
    },
    {
      id: 'email-changes/unsent-link-works',
      in: 'withdrawToken',
      find: 'await takeOwnRow(storedToken, world)',
      replace: 'void [storedToken, world]',
      breaks: ['EC-09'],
    },
  ]),
  ...mutantsOf('src/features/email-change/change.ts', [
    {
      id: 'email-changes/taken-address-not-looked-up',
      in: 'findHolderWith',
      find: 'if (addressee)',
      replace: 'if (addressee && identifier === "")',
      breaks: ['EC-04'],
    },
    {
      id: 'email-changes/owner-loses-the-address',
      in: 'findHolderWith',
      find: "if (addressee) return { type: 'address.taken', addressee, ...taken() }",
      replace: "if (addressee) return { type: 'address.contested', claimant: addressee }",
      breaks: ['EC-04', 'EC-06'],
    },
    {
      id: 'email-changes/nobody-told',
      in: 'sendNotice',
      find: 'if (!to)',
      replace: 'if (!to || to !== "")',
      breaks: ['EC-08'],
    },
    {
      id: 'email-changes/new-address-told',
      in: 'sendNotice',
      find: "type: 'changed', to,",
      replace: "type: 'changed', to: identifier,",
      breaks: ['EC-08'],
    },
  ]),
  ...mutantsOf('src/features/email-change/rate-limit.ts', [
    {
      id: 'email-changes/not-limited',
      in: 'checkRequestRateLimit',
      find: "ask(visit, () => ({ type: 'email', provider, identifier }), world)",
      replace: "({ ...(void [visit, identifier, world], {}), type: 'attempt.allowed' as const })",
      breaks: ['EC-10'],
    },
  ]),
  ...mutantsOf('src/features/email-change/feature.ts', [
    {
      id: 'email-changes/always-offered',
      in: 'emailChange',
      find: 'if (!options)',
      replace: 'if (replaced === null)',
      breaks: ['EC-01'],
    },
  ]),
  ...mutantsOf('src/text/email-address.ts', [
    {
      id: 'email/escaped',
      in: 'canonicaliseAddress',
      find: '? address',
      replace: '? encodeURI(address)',
      breaks: ['EM-01', 'EM-04', 'DEC-29e'],
    },
    {
      id: 'email/not-normalised',
      in: 'canonicalise',
      find: "(normalise(lower, 'NFKC', expandedLimit)?.split('@') ?? [])",
      replace: "raw.toLowerCase().split('@')",
      breaks: ['EM-04', 'EM-05', 'DEC-29a', 'DEC-29e'],
    },
    {
      id: 'email/case-kept',
      in: 'canonicalise',
      find: '?.toLowerCase()',
      replace: '',
      breaks: ['EM-05'],
    },
    {
      id: 'email/unicode-domain',
      in: 'toHost',
      find: '? host',
      replace: '? domain',
      breaks: ['EM-05', 'EM-06', 'DEC-29d'],
    },
    {
      id: 'email/encoded-words',
      in: 'canonicalise',
      find: "|| local.includes('=?')",
      replace: '',
      breaks: ['EM-02', 'DEC-29b'],
    },
    {
      id: 'email/white-space',
      in: 'localShape',
      find: '= /^[',
      replace: '= /^[\\s\\0',
      breaks: ['EM-03', 'DEC-29b'],
    },
    {
      id: 'email/last-at-sign',
      in: 'canonicalise',
      find: 'parts.length !== 2 ||',
      replace: '',
      breaks: ['EM-06', 'EM-04'],
    },
    {
      id: 'advisories/dots-folded-for-good',
      in: 'canonicalise',
      find: '= `${local}',
      replace: "= `${local.replaceAll('.', '')}",
      breaks: ['EM-04', 'EM-05'],
    },
    {
      id: 'email/address-not-normalised',
      in: 'normaliseFor',
      find: 'canonicaliseAddress(raw)',
      replace: 'raw',
      breaks: ['EM-02', 'EM-04', 'EM-05', 'DEC-29a'],
    },
    {
      id: 'email/own-normaliser-ignored',
      in: 'normaliseFor',
      find: 'if (!config.normalizeIdentifier)',
      replace: '',
      breaks: ['EM-09'],
    },
  ]),
  ...mutantsOf('src/flows/shared/mailed-proof.ts', [
    {
      id: 'email/raw-token-stored',
      in: 'hashesOf',
      find: 'sha256Hex(`${token}${secret}${scope}`)',
      replace: 'token',
      breaks: ['SU-04', 'ATN-008'],
    },
    {
      id: 'email/guessable-token',
      in: 'mintLinkToken',
      find: 'randomHex(platform.randomBytes)',
      replace: "'0'.repeat(64)",
      breaks: ['SU-05'],
    },
    {
      id: 'email/links-of-any-provider',
      in: 'hashesOf',
      find: 'hasSeveral(settings) ? `:${provider.id}` :',
      replace: "'' +",
      breaks: ['SU-15', 'DEC-05d'],
    },
  ]),
  ...mutantsOf('src/provider-base/message.ts', [
    {
      id: 'mail/theme-unchecked',
      in: 'writeMessage',
      find: 'readColour(theme.brandColor)',
      replace: 'theme.brandColor',
      breaks: ['EM-07'],
    },
  ]),
  ...mutantsOf('src/extend/one-time-code.ts', [
    {
      id: 'codes/predictable',
      in: 'mintCode',
      find: 'bytes.getBigUint64(0)',
      replace: '314_159n',
      breaks: ['CD-01'],
    },
    {
      id: 'codes/sixth-guess',
      in: 'maxAttempts',
      find: '5',
      replace: '6',
      breaks: ['CD-02', 'CD-09'],
    },
    {
      id: 'codes/one-guess',
      in: 'maxAttempts',
      find: '5',
      replace: '1',
      breaks: ['CD-02', 'CD-09'],
    },
  ]),
  ...mutantsOf('src/features/mail-codes/request.ts', [
    {
      id: 'codes/in-the-url-of-the-mail',
      in: 'sendCode',
      find: 'const url = verifyRequestUrl(visit, mailProvider)',
      replace: 'const url = `${verifyRequestUrl(visit, mailProvider)}&code=${mailedCode}`',
      breaks: ['CD-07'],
    },
    {
      id: 'codes/older-code-stays',
      in: 'endOlderCode',
      find: "if (older && provider?.kind === 'email')",
      replace: "if (older && provider?.kind === 'email' && older.attempt > 5)",
      breaks: ['CD-06'],
    },
    {
      id: 'codes/unlimited-in-silence',
      in: 'storeAttempt',
      find: 'warnUnlimited(mailProvider, settings)',
      replace: 'void warnUnlimited',
      breaks: ['CD-10'],
    },
  ]),
  ...mutantsOf('src/features/mail-codes/guess.ts', [
    {
      id: 'codes/attempt-not-spent',
      in: 'spendAttempt',
      find: 'refuseUnknown()',
      replace:
        "{ type: 'token.consumed', consumedToken: { identifier: requestedCode.identifier, token: tokens[0] ?? '', expires: new Date(requestedCode.expires) } }",
      breaks: ['CD-02', 'CD-06'],
    },
    {
      id: 'codes/address-of-the-form',
      in: 'openCode',
      find: "return { type: 'code.opened', requestedCode, identifier, callbackUrl, requester }",
      replace:
        "return { type: 'code.opened', requestedCode, identifier: typeof visit.body.email === 'string' ? visit.body.email : identifier, callbackUrl, requester }",
      breaks: ['CD-03'],
    },
  ]),
  ...mutantsOf('src/features/mail-codes/flow.ts', [
    {
      id: 'codes/no-attempts-in-the-url',
      in: 'mailCodeGuessFlow',
      find: 'verifyRequestUrl(visit, mailProvider, attemptsLeft)',
      replace: 'verifyRequestUrl(visit, mailProvider)',
      breaks: ['CD-09'],
    },
  ]),
  ...mutantsOf('src/features/mail-codes/requested-code.ts', [
    {
      id: 'codes/cookie-of-any-browser',
      in: 'codeCookie',
      find: "browser: 'code',",
      replace: '',
      breaks: ['CD-04'],
    },
  ]),
  ...mutantsOf('src/features/mail-codes/options.ts', [
    {
      id: 'codes/lifetime-of-a-link',
      in: 'lifetimeOf',
      find: 'Math.min(maxAge ?? codeMaxAge, codeMaxAge)',
      replace: 'maxAge ?? codeMaxAge',
      breaks: ['CD-05'],
    },
  ]),
  ...mutantsOf('src/features/options.ts', [
    {
      id: 'codes/served-by-the-flows-of-links',
      in: 'findServed',
      find: 'mailsCodes(provider)',
      replace: "mailsCodes(provider) && action !== 'callback'",
      breaks: ['CD-01'],
    },
  ]),
  ...mutantsOf('src/flows/flows.ts', [
    {
      id: 'codes/route-of-every-provider',
      in: 'listMethods',
      find: 'findFeatureRoute(feature, route)',
      replace: 'feature.routes?.[action]',
      breaks: ['FT-30'],
    },
  ]),
]
