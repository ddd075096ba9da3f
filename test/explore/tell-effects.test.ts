import { describe, expect, it } from 'vitest'
import { openNames } from '../../fuzz/explore/names.ts'
import type { Credentials } from '../../fuzz/explore/observe.ts'
import { type State, tellEffects } from '../../fuzz/explore/tell-effects.ts'
import type { UserTruth } from '../../fuzz/explore/truth.ts'

const none: Credentials = {
  address: null,
  isProven: false,
  password: undefined,
  hasFactor: false,
  accounts: [],
  passkeys: [],
  strayPasskeys: [],
}

function stateWith(
  credentials: Partial<Credentials>,
  { who, ...truth }: Partial<UserTruth> & { readonly who?: string } = {},
): State {
  return {
    seen: { who: { 'Ada’s phone': who }, users: { ada: { ...none, ...credentials } }, says: {} },
    truth: {
      users: { ada: { owner: 'ada', epoch: 0, ...truth } },
      browsers: {},
      mails: [],
      passkeys: {},
    },
  }
}

const app = (secret: string) => ({ secret, recovery: [] })

describe('what an action changed, in words', () => {
  it.each([
    ['a sign-in', stateWith({}), stateWith({}, { who: 'ada' }), ['Ada is signed in at Ada’s phone']],
    ['a sign-out', stateWith({}, { who: 'ada' }), stateWith({}), ['Nobody is signed in at Ada’s phone now']],
    [
      'a passkey that replaces another one',
      stateWith({ passkeys: ['b25l'] }),
      stateWith({ passkeys: ['dHdv'] }),
      ['Passkey 1 signs Ada in from now on', 'Passkey 2 is removed from the store'],
    ],
    [
      'an app that replaces another one',
      stateWith({}, { app: app('first') }),
      stateWith({}, { app: app('second') }),
      ['App 2 replaces app 1'],
    ],
    ['a removed factor', stateWith({}, { app: app('x') }), stateWith({}), ['Ada has no second factor now']],
    ['nothing', stateWith({}), stateWith({}), []],
  ])('tells %s', (_, before, after, says) => {
    expect(tellEffects(before, after, openNames())).toEqual(says)
  })

  it('names a passkey alike in Base64 and in Base64url', () => {
    const stray = { passkeys: ['+/8='], strayPasskeys: ['-_8'] }
    const says = tellEffects(stateWith({ passkeys: ['+/8='] }), stateWith(stray), openNames())
    expect(says).toEqual(['Passkey 1 is still stored, but the account page no longer lists it'])
  })
})
