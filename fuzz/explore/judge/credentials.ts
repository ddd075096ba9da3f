import type { Credentials } from '../observe.ts'
import type { Proof } from '../truth.ts'
import type { Step } from './step.ts'

/** Returns whether a user could already sign in by this proof. */
export function hadBefore(credentials: Credentials | undefined, { way, account, address }: Proof): boolean {
  if (!credentials) return false
  if (account) return credentials.accounts.includes(`${account.provider} ${account.id}`)
  if (way === 'mail') return credentials.isProven && credentials.address === address
  return way === 'passkey' ? credentials.passkeys.length > 0 : credentials.password !== undefined
}

/** Names the changes of an account. */
export function listChanges(before: Credentials, after: Credentials): string[] {
  const added = (some: readonly string[], others: readonly string[]) =>
    others.some((each) => !some.includes(each))
  return [
    ...(added(before.accounts, after.accounts) ? ['an account was added'] : []),
    ...(added(after.accounts, before.accounts) ? ['an account was removed'] : []),
    ...(added(before.passkeys, after.passkeys) ? ['a passkey was added'] : []),
    ...(added(after.passkeys, before.passkeys) ? ['a passkey was removed'] : []),
    ...(before.password === after.password ? [] : ['the password was set']),
    ...(before.address === after.address ? [] : ['the address was changed']),
    ...(before.isProven === after.isProven ? [] : ['the address was proven']),
    ...(before.hasFactor === after.hasFactor
      ? []
      : [`the second factor was ${after.hasFactor ? 'set' : 'removed'}`]),
  ]
}

/**
 * A mailed link proves an address. So does a sign-in at a provider that vouches for the address, if no session links
 * the account.
 */
export function isFirstProof({ before, after, claim, action }: Step, id: string): boolean {
  const [then, now] = [before.seen.users[id], after.users[id]]
  if (!then || !now || then.isProven || !claim.proof) return false
  const { way, account } = claim.proof
  if (way === 'mail') return now.isProven
  const isOutside = action.in !== undefined && before.seen.who[action.in] !== id
  const name = account && `${account.provider} ${account.id}`
  return name !== undefined && isOutside && !then.accounts.includes(name) && now.accounts.includes(name)
}
