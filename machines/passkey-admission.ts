import { callingSignIn, confirmingUser } from './admission.ts'
import { does, piece } from './chart.ts'
import { checkingFactor, describingNewcomer, issuance, keepingAuthentication } from './issuance.ts'
import { nobody, recognition, somebody } from './recognition.ts'
import { passingGates } from './slots.ts'

/**
 * Like `issuance`, but checks the passkey again after the session is stored. In the meantime, the first
 * verification of the user's address may have removed the passkey. It removed only the sessions that were stored by
 * then.
 */
const passkeyIssuance = piece({
  ...issuance,
  exits: ['user.admitted', 'user.denied', 'session.withdrawn'],
  states: {
    ...issuance.states,
    storingSession: {
      ...issuance.states.storingSession,
      on: { 'session.stored': 'recheckingPasskey' },
    },
    recheckingPasskey: {
      description: 'Check that the passkey was not removed before the session was stored',
      meta: { spec: ['AL-04', 'DEC-39c'] },
      invoke: does('recheckPasskey'),
      on: { 'passkey.kept': 'recheckingStamp', 'passkey.removed': 'withdrawingSession' },
    },
    withdrawingSession: {
      description: 'Remove the session of the removed passkey',
      meta: { spec: ['AL-04', 'DEC-39c'] },
      invoke: does('withdrawSession'),
      on: {},
    },
  },
})

/** Like `admission`, for a credential that responded: only its owner signs in, and nothing is stored. */
export const ownerAdmission = piece({
  description: 'Find the owner, ask the application, and issue the session',
  meta: { spec: ['WA-07', 'WA-09', 'SE-01'] },
  exits: [
    'user.admitted',
    'user.denied',
    'sent.elsewhere',
    'owner.mismatched',
    'account.taken',
    'factor.demanded',
    'session.withdrawn',
    'gate.held',
    'gate.refused',
  ],
  initial: 'findingOwner',
  states: {
    findingOwner: {
      description: 'Find the owner of the credential, who must match the challenge',
      meta: { spec: ['WA-07', 'WA-02', 'AL-05', 'WIR-044'] },
      invoke: does('findCredentialOwner'),
      on: { 'owner.found': 'callingSignIn' },
    },
    callingSignIn: { ...callingSignIn, on: { 'signin.allowed': 'checkingFactor' } },
    checkingFactor: checkingFactor('passingGates'),
    passingGates: passingGates('issuingSession'),
    issuingSession: passkeyIssuance,
  },
})

/**
 * Like `admission`, for a new credential: it goes to the user who requested it, or to a new one. Registering a known
 * credential never signs in its owner.
 */
export const enrolment = piece({
  description: 'Identify the user, ask the application, store the credential, and issue the session',
  meta: { spec: ['WA-06', 'WA-09', 'WA-11', 'SE-01'] },
  exits: [
    'user.admitted',
    'user.denied',
    'sent.elsewhere',
    'registrant.gone',
    'session.stale',
    'step-up.demanded',
    'account.taken',
    'conflict.unexplained',
    'session.withdrawn',
    'gate.held',
    'gate.refused',
  ],
  initial: 'findingCredential',
  states: {
    findingCredential: {
      description: 'Check that the credential is new',
      meta: { spec: ['WA-06'] },
      invoke: does('findCredential'),
      on: { 'credential.new': 'recognising' },
    },
    recognising: {
      ...recognition,
      on: { ...somebody('identifyingRegistrant'), ...nobody('identifyingRegistrant') },
    },
    identifyingRegistrant: {
      description: 'Check that the user who requested it is still signed in',
      meta: { spec: ['WA-11', 'SE-04'] },
      invoke: does('identifyRegistrant'),
      on: { 'registrant.identified': 'checkingSession', 'newcomer.identified': 'callingSignIn' },
    },
    checkingSession: {
      description: 'Check that the user signed in recently, with the second factor if there is one',
      meta: { spec: ['SF-20', 'POL-02'] },
      invoke: does('checkSession'),
      on: { 'session.sufficient': 'callingSignIn' },
    },
    callingSignIn: { ...callingSignIn, on: { 'signin.allowed': 'decidingMember' } },
    decidingMember: {
      description: 'Decide which user gets the credential',
      meta: { spec: ['WA-11', 'AL-01'] },
      invoke: does('decideMember'),
      on: { 'link.allowed': 'linkingAccount', 'user.new': 'passingGates' },
    },
    passingGates: passingGates('creatingUser'),
    creatingUser: {
      description: 'Store a new user without an address',
      meta: { spec: ['AL-07', 'WA-10', 'DEC-39a'] },
      invoke: does('createUser'),
      on: { 'user.created': 'linkingAccount', 'user.unconfirmed': 'confirmingUser' },
    },
    confirmingUser: confirmingUser('linkingAccount', 'explainingConflict'),
    linkingAccount: {
      description: 'Store the account',
      meta: { spec: ['AL-02'] },
      invoke: does('linkCredential'),
      on: { 'account.linked': 'storingAuthenticator', 'account.conflicting': 'withdrawing' },
    },
    storingAuthenticator: {
      description: 'Store the public key and the counter',
      meta: { spec: ['WA-06', 'AL-07'] },
      invoke: does('storeAuthenticator'),
      on: { 'authenticator.stored': 'recheckingSession', 'authenticator.conflicting': 'withdrawing' },
    },
    recheckingSession: {
      description: 'Check that the session did not end before the credential was stored',
      meta: { spec: ['WA-11', 'AL-04', 'DEC-39c'] },
      invoke: does('recheckSession'),
      on: { 'session.kept': 'announcing', 'session.ended': 'abandoning' },
    },
    abandoning: {
      description: 'Remove the credential of a user who is no longer signed in',
      meta: { spec: ['WA-11', 'AL-04', 'DEC-39c'] },
      invoke: does('abandonEnrolment'),
      on: {},
    },
    announcing: {
      description: 'Announce the events of the credential and its user',
      meta: { spec: ['AL-07', 'DEC-21b'] },
      invoke: does('announceEnrolment'),
      on: { 'newcomer.announced': 'describingNewcomer', 'passkey.announced': 'keepingAuthentication' },
    },
    describingNewcomer: describingNewcomer('issuingSession'),
    keepingAuthentication: keepingAuthentication('issuingSession'),
    withdrawing: {
      description: 'Remove what was stored',
      meta: { spec: ['FI-02', 'AL-11'] },
      invoke: does('withdrawEnrolment'),
      on: { 'enrolment.withdrawn': 'explainingConflict' },
    },
    explainingConflict: {
      description: 'Check whether another request has registered the credential',
      meta: { spec: ['CC-01', 'WA-06'] },
      invoke: does('explainConflict'),
      on: {},
    },
    issuingSession: passkeyIssuance,
  },
})
