import { chart, does } from './chart.ts'
import { faulted } from './endings.ts'
import { endingAgain, endingFirst } from './ends.ts'
import { checkingCsrf, refused } from './opening.ts'
import { nobody, recognition, somebody } from './recognition.ts'

/** Shows the account page, and makes one change for each of its forms. */
export const accountChart = chart({
  id: 'account',
  description: 'Show the account of the signed-in user, or make one change',
  meta: { spec: ['ACP-05', 'ACP-07'], title: 'Account page' },
  initial: 'checkingCsrf',
  on: { fault: '.faulted' },
  states: {
    checkingCsrf: checkingCsrf('recognising'),
    recognising: { ...recognition, on: { ...somebody('choosingChange'), ...nobody('anonymous') } },
    choosingChange: {
      description: 'Read which form was sent, if any',
      meta: { spec: ['ACP-07'] },
      invoke: does('chooseChange'),
      on: {
        'page.wanted': 'preparingPage',
        'change.unavailable': 'preparingPage',
        'session.chosen': 'endingSession',
        'others.chosen': 'endingSessions',
        'name.chosen': 'namingPasskey',
        'sensitive.chosen': 'checkingSession',
      },
    },
    checkingSession: {
      description: 'Check that the user signed in recently, with the second factor if there is one',
      meta: { spec: ['ACP-13'] },
      invoke: does('checkSession'),
      on: {
        'session.sufficient': 'choosingSensitiveChange',
        'session.stale': 'anonymous',
        'step-up.demanded': 'challenged',
      },
    },
    choosingSensitiveChange: {
      description: 'Distinguish the changes that need a recent sign-in',
      meta: { spec: ['ACP-07', 'ACP-13'] },
      invoke: does('chooseSensitiveChange'),
      on: {
        'way.chosen': 'findingWay',
        'codes.chosen': 'renewingCodes',
        'removal.chosen': 'findingFactor',
        'deletion.chosen': 'confirmingDeletion',
      },
    },
    endingSession: {
      description: 'End a session of the user, if it still exists',
      meta: { spec: ['ACP-08', 'OPT-041'] },
      invoke: does('endSession'),
      on: { 'session.ended': 'changed' },
    },
    endingSessions: {
      description: 'End all sessions of the user but this one',
      meta: { spec: ['ACP-08', 'OPT-042'] },
      invoke: does('endSessions'),
      on: { 'sessions.ended': 'changed' },
    },
    findingWay: {
      description: 'Find the account or passkey, and check whether the user can still sign in without it',
      meta: { spec: ['ACP-07', 'ACP-09', 'ACP-17'] },
      invoke: does('findWay'),
      on: { 'way.spare': 'endingBeforeRemoval', 'way.last': 'preparingPage', 'way.unknown': 'changed' },
    },
    endingBeforeRemoval: endingFirst('endForRemoval', 'removingWay'),
    removingWay: {
      description: 'Unlink the account, or remove the passkey',
      meta: { spec: ['ACP-12', 'ACP-17'] },
      invoke: does('removeWay'),
      on: { 'way.removed': 'endingAfterRemoval' },
    },
    endingAfterRemoval: endingAgain('endForRemoval', 'changed'),
    namingPasskey: {
      description: 'Store the name of a passkey, if it is the user’s',
      meta: { spec: ['ACP-10'] },
      invoke: does('namePasskey'),
      on: { 'passkey.named': 'changed' },
    },
    renewingCodes: {
      description: 'Replace the recovery codes, unless another request has changed the second factor',
      meta: { spec: ['ACP-14', 'SF-06'] },
      invoke: does('renewCodes'),
      on: { 'codes.renewed': 'codesShown', 'codes.kept': 'changed' },
    },
    findingFactor: {
      description: 'Check whether there is a second factor to remove',
      meta: { spec: ['ACP-14'] },
      invoke: does('findFactor'),
      on: { 'factor.found': 'endingBeforeFactor', 'factor.absent': 'changed' },
    },
    endingBeforeFactor: endingFirst('endForFactor', 'removingFactor'),
    removingFactor: {
      description: 'Remove the second factor, unless another request has changed it',
      meta: { spec: ['ACP-14', 'SF-09'] },
      invoke: does('removeFactor'),
      on: { 'factor.removed': 'endingAfterFactor', 'factor.outrun': 'preparingPage' },
    },
    endingAfterFactor: endingAgain('endForFactor', 'changed'),
    confirmingDeletion: {
      description: 'Check whether the form repeats the address of the account',
      meta: { spec: ['ACP-11'] },
      invoke: does('confirmDeletion'),
      on: { 'deletion.confirmed': 'deletingUser', 'deletion.unconfirmed': 'preparingPage' },
    },
    deletingUser: {
      description: 'Remove the user with everything that belongs to it',
      meta: { spec: ['ACP-11', 'ACP-12', 'OPT-043'] },
      invoke: does('deleteUser'),
      on: { 'user.deleted': 'clearingCookies' },
    },
    clearingCookies: {
      description: 'Clear the session cookies, and change the CSRF token',
      meta: { spec: ['ACP-11', 'CK-16', 'TX-19'] },
      invoke: does('clearSessionCookies'),
      on: { 'cookies.cleared': 'deleted' },
    },
    preparingPage: {
      description: 'Read what the page shows',
      meta: { spec: ['ACP-06', 'ACP-08'] },
      invoke: does('preparePage'),
      on: { 'page.prepared': 'shown' },
    },
    shown: {
      type: 'final',
      description: 'The page shows the account, and why a change was refused',
      meta: { spec: ['ACP-06'], ending: 'success' },
    },
    changed: {
      type: 'final',
      description: 'The change is made, or there was nothing to change',
      meta: { spec: ['ACP-07'], ending: 'success' },
    },
    codesShown: {
      type: 'final',
      description: 'A page shows the new recovery codes',
      meta: { spec: ['ACP-14', 'SF-06'], ending: 'success' },
    },
    deleted: {
      type: 'final',
      description: 'The user is deleted, and nobody is signed in',
      meta: { spec: ['ACP-11'], ending: 'success' },
    },
    anonymous: {
      type: 'final',
      description: 'The user must sign in first, or again',
      meta: { spec: ['ACP-05', 'ACP-13'], ending: 'refusal' },
    },
    challenged: {
      type: 'final',
      description: 'The user must pass the second factor first',
      meta: { spec: ['ACP-13'], ending: 'refusal' },
    },
    refused,
    faulted,
  },
})
