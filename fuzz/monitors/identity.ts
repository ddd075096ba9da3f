import { Breach } from '../world/breach.ts'
import { ownerOf, people, type Person } from '../world/people.ts'
import { member } from '../world/reply.ts'
import type { Reading } from '../world/reading.ts'
import type { Monitor } from './monitor.ts'

/** Checks that a browser only has sessions of users who signed in with it. */
export function watchIdentities({ actionOf, sessionOf }: Reading): Monitor {
  const proofs = new WeakMap<object, Set<Person>>()
  return {
    proven(browser, person) {
      proofs.set(browser, (proofs.get(browser) ?? new Set()).add(person))
    },
    answered({ browser, request, reply }) {
      if (actionOf(request) !== 'session' || reply.status !== 200) return
      const address = member(sessionOf(reply), 'user', 'email')
      const person = ownerOf(address)
      if (!person || proofs.get(browser)?.has(person)) return
      // A victim in the session of the attacker may enter data there, but the attacker has no session of the victim.
      const isPlanted = person === people.eve && browser.name !== people.eve.name
      throw new Breach(
        undefined,
        `${browser.name}'s browser has the session of ${person.name}, who did not sign in there`,
        { observed: isPlanted ? 'a session' : 'another user' },
      )
    },
  }
}
