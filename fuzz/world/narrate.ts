import type { History } from './history.ts'
import type { Idp } from './idp/contract.ts'
import { describeFault } from './idp/describe-fault.ts'
import type { RemoteName } from './people.ts'

/** A provider whose changes are events of a story. */
export interface NarratedIdp extends Idp {
  /** @param says who consents. @default the subject that was chosen */
  readonly authorize: (url: string, says?: string) => ReturnType<Idp['authorize']>
}

/**
 * Adds to a history what a provider is told to do, and what it does wrong from then on.
 *
 * @param note receives each event in words, for a diagram
 */
export function narrate(
  idp: Idp,
  name: RemoteName,
  history: History,
  note: (text: string) => void = () => {},
): NarratedIdp {
  let sub = ''
  let isWrong = false
  const control = (change: string, ...values: readonly unknown[]) =>
    history.control({ provider: name, do: change, with: values })
  const say = (text: string) => {
    history.say(text)
    note(text)
  }
  return {
    ...idp,
    get log() {
      return idp.log
    },
    get refusals() {
      return idp.refusals
    },
    get issued() {
      return idp.issued
    },
    choose(chosen) {
      sub = chosen
      idp.choose(chosen)
      control('choose', chosen)
    },
    async authorize(url, says = `${sub.replace(`-at-${name}`, '')} consents at ${name}`) {
      const response = await idp.authorize(url)
      history.authorize(url, response, says)
      history.say(`${says}, and is redirected back with ${response.parameters}`)
      note(says)
      return response
    },
    misbehave(...faults) {
      idp.misbehave(...faults)
      if (faults.length === 0 && !isWrong) return
      control('misbehave', ...faults)
      // The end of a case resets the provider, which is no step of a story.
      if (faults.length === 0) history.defer(`${name} behaves correctly again`)
      else say(`${name} misbehaves from now on: ${faults.map(describeFault).join(', ')}`)
      isWrong = faults.length > 0
    },
    addToTokens(members) {
      idp.addToTokens(members)
      control('addToTokens', members)
      say(`${name} adds to its token responses: ${JSON.stringify(members)}`)
    },
    addToClaims(claims) {
      idp.addToClaims(claims)
      control('addToClaims', claims)
      say(`${name} adds to its id_tokens: ${JSON.stringify(claims)}`)
    },
    rotate() {
      idp.rotate()
      control('rotate')
      say(`${name} replaces its keys`)
    },
    revokeTokens() {
      idp.revokeTokens()
      control('revokeTokens')
      say(`${name} revokes its refresh tokens`)
    },
  }
}
