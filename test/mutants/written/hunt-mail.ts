import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in mailed links and e-mail addresses, written without knowledge of the properties. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/flows/email/request.ts', [
    {
      id: 'hunt/account-named-after-user',
      in: 'findAddresseeWith',
      find: 'providerAccountId: identifier',
      replace: 'providerAccountId: addressee?.id ?? identifier',
      breaks: ['REC-004'],
    },
    {
      // Every link of a signed-in user counts as a request to link the address.
      id: 'hunt/implied-link-keeps-access',
      in: 'readIntent',
      find: 'hasPasskeys(settings) && asksToLink(visit)',
      replace: 'hasPasskeys(settings) || asksToLink(visit)',
      breaks: ['AL-04', 'DEC-39e'],
    },
    {
      id: 'hunt/mail-before-token-is-stored',
      in: 'storeToken',
      find: 'await demandStore(world).createVerificationToken({ identifier, token, expires })',
      replace: 'void demandStore(world).createVerificationToken({ identifier, token, expires })',
      breaks: ['SU-11'],
    },
    {
      id: 'hunt/mail-to-typed-address',
      in: 'sendLink',
      find: 'const mail = { identifier,',
      replace: 'const mail = { identifier: String(visit.body.email).trim(),',
      breaks: ['EM-04', 'EM-09'],
    },
    {
      id: 'hunt/supersede-by-default',
      in: 'endOlderLinks',
      find: 'mailProvider.config.supersedeLinks !== true',
      replace: 'mailProvider.config.supersedeLinks === false',
      breaks: ['OPT-011'],
    },
  ]),
  ...mutantsOf('src/flows/email/send-mail.ts', [
    {
      id: 'hunt/sender-of-requested-host',
      in: 'defaultSender',
      find: 'function defaultSender({ origin }: Visit): string {',
      replace:
        'function defaultSender({ request }: Visit): string {\nconst { origin } = new URL(request.url)',
      breaks: ['DEC-03e'],
    },
  ]),
  ...mutantsOf('src/flows/email/verification.ts', [
    {
      id: 'hunt/prefetch-with-parameters',
      in: 'isPreview',
      find: '/\\b(prefetch|prerender|preview)\\b/i',
      replace: '/^(prefetch|prerender|preview)$/i',
      breaks: ['DEC-28c'],
    },
    {
      id: 'hunt/link-with-two-addresses',
      in: 'readSent',
      find: "['token', 'email'].filter",
      replace: "['token'].filter",
      breaks: ['SU-13', 'TX-12'],
    },
    {
      id: 'hunt/confirmation-without-cookie',
      in: 'prepareConfirmation',
      find: 'out.setCookies(csrf.cookies)',
      replace: 'if (visit.cookies.names().length > 0) out.setCookies(csrf.cookies)',
      breaks: ['DEC-28d'],
    },
    {
      id: 'hunt/confirmation-of-typed-address',
      in: 'prepareConfirmation',
      find: 'email: identifier',
      replace: "email: visit.query.get('email') ?? identifier",
      breaks: ['EM-04', 'DEC-28d'],
    },
    {
      id: 'hunt/claimed-address-simply-gained',
      in: 'decideStarter',
      find: "return { type: 'user.known', member }",
      replace: "return { type: 'address.gained', member }",
      breaks: ['DEC-39e'],
    },
    {
      id: 'hunt/gained-address-unverified',
      in: 'addAddress',
      find: 'changeUser({ id: currentUser.id, email: identifier, emailVerified }, world)',
      replace: 'changeUser({ id: currentUser.id, email: identifier }, world)',
      breaks: ['EM-10', 'DEC-39e'],
    },
    {
      id: 'hunt/creation-announced-early',
      in: 'createProvenUser',
      find: "const answer = await store.createUser({ ...user, emailVerified: new Date(world.platform.now()) }) const createdUser = demandUser(answer, 'createUser') world.out.announce({ event: 'createUser', message: { user: createdUser } })",
      replace:
        "const proven = { ...user, emailVerified: new Date(world.platform.now()) }\nworld.out.announce({ event: 'createUser', message: { user: proven } })\nconst createdUser = demandUser(await store.createUser(proven), 'createUser')",
      breaks: ['AL-07', 'CB-05'],
    },
    {
      id: 'hunt/known-user-proven-again',
      in: 'proveAddress',
      find: "if (isProven(member)) return { type: 'address.proven', member }",
      replace:
        "if (isProven(member)) {\nworld.out.announce({ event: 'updateUser', message: { user: member } })\nreturn { type: 'address.proven', member }\n}",
      breaks: ['AL-07'],
    },
  ]),
  ...mutantsOf('src/flows/email/verify-request-url.ts', [
    {
      id: 'hunt/address-in-verify-request-url',
      in: 'mailed',
      find: 'redirect(verifyRequestUrl(visit, mailProvider))',
      replace:
        'redirect(`${verifyRequestUrl(visit, mailProvider)}&email=${encodeURIComponent(String(visit.body.email))}`)',
      breaks: ['WIR-046'],
    },
  ]),
  ...mutantsOf('src/flows/email/link-token.ts', [
    {
      id: 'hunt/sixteen-hex-digits-guessable',
      in: 'isGuessable',
      find: '< strongToken',
      replace: '<= strongToken',
      breaks: ['OPT-010'],
    },
    {
      id: 'hunt/two-mailers-share-links',
      in: 'hasSeveral',
      find: '.length > 1',
      replace: '.length > 2',
      breaks: ['SU-15'],
    },
    {
      id: 'hunt/own-secret-joins-the-list',
      in: 'hashesOf',
      find: 'own ? [own] : settings.secrets',
      replace: 'own ? [...settings.secrets, own] : settings.secrets',
      breaks: ['ATN-008'],
    },
  ]),
  ...mutantsOf('src/session/requested-links.ts', [
    {
      id: 'hunt/four-links-remembered',
      in: 'rememberLink',
      find: 'slice(-kept)',
      replace: 'slice(1 - kept)',
      breaks: ['DEC-37'],
    },
    {
      id: 'hunt/used-link-forgets-siblings',
      in: 'forgetLink',
      find: 'each.hash !== hash',
      replace: 'each.address !== found.address',
      breaks: ['DEC-28d'],
    },
    {
      id: 'hunt/requests-end-with-the-first',
      in: 'linksCookie',
      find: 'Math.max(...links.map',
      replace: 'Math.min(...links.map',
      breaks: ['DEC-37', 'DEC-28d'],
    },
  ]),
  ...mutantsOf('src/text/email-address.ts', [
    {
      id: 'hunt/trailing-dot-trimmed',
      in: 'toHost',
      find: 'new URL(`http://${domain}`).hostname',
      replace: "new URL(`http://${domain}`).hostname.replace(/\\.$/, '')",
      breaks: ['EM-06'],
    },
    {
      id: 'hunt/claim-compared-by-nfc',
      in: 'canonicaliseClaim',
      find: "normalise(local, 'NFKC', writtenLimit)",
      replace: "normalise(local, 'NFC', writtenLimit)",
      breaks: ['DEC-13f'],
    },
    {
      id: 'hunt/throwing-normaliser-ignored',
      in: 'normaliseFor',
      find: 'report(asError(error)) return undefined',
      replace: 'report(asError(error))\n    return canonicaliseAddress(raw)',
      breaks: ['EM-05', 'SEA-002'],
    },
  ]),
  ...mutantsOf('src/config/resolve-provider.ts', [
    {
      id: 'hunt/confirm-false-is-default',
      in: 'readConfirm',
      find: "confirm ?? 'elsewhere'",
      replace: "confirm || 'elsewhere'",
      breaks: ['DEC-28d'],
    },
  ]),
  ...mutantsOf('src/provider-base/http-sender.ts', [
    {
      id: 'hunt/answer-of-mail-service-logged',
      in: 'httpSender',
      find: 'await response.body?.cancel() if (!response.ok) throw new Error(`${name} responded with ${response.status} instead of success`)',
      replace:
        'if (!response.ok) throw new Error(`${name} answered ${response.status}: ${await response.text()}`)',
      breaks: ['IL-02'],
    },
  ]),
  ...mutantsOf('src/flows/email/verification.ts', [
    {
      // The address goes to the signed-in user, not to the user who requested the link.
      id: 'hunt/link-given-to-signed-in-user',
      in: 'decideStarter',
      find: 'isSameId(requester.id, currentUser?.id) ? currentUser : undefined',
      replace: 'requester.id ? currentUser : undefined',
      breaks: ['AL-10', 'DEC-39e'],
    },
  ]),
  ...mutantsOf('src/flows/shared/linking.ts', [
    {
      // A user of a provider who added a passkey loses the address, as if only the passkey had claimed it.
      id: 'hunt/any-passkey-makes-address-unproven',
      in: 'hasNoOtherAccount',
      find: '.every(',
      replace: '.some(',
      breaks: ['DEC-39b'],
    },
  ]),
  ...mutantsOf('src/flows/shared/store-user.ts', [
    {
      // Every sign-in by a link, not only the first one, removes sessions and passkeys.
      id: 'hunt/every-link-ends-earlier-access',
      in: 'revokeAccess',
      find: "isProven(member) ? { type: 'earlier-access.ended', stamp } : endAccess(member.id, stamp, world)",
      replace: 'endAccess(member.id, stamp, world)',
      breaks: ['DEC-39c'],
    },
  ]),
  ...mutantsOf('src/flows/email/request.ts', [
    {
      // With AUTH_URL set, the link follows the Host header all the same.
      id: 'hunt/link-on-requested-host',
      in: 'sendLink',
      find: 'const url = `${visit.base}/',
      replace: 'const url = `${new URL(visit.request.url).origin}${world.settings.basePath}/',
      breaks: ['EM-08', 'HH-02'],
    },
  ]),
]
