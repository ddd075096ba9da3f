import { Breach } from '../world/breach.ts'
import { ownerOf, type Person } from '../world/people.ts'
import { member } from '../world/reply.ts'
import type { Reading } from '../world/reading.ts'
import type { Monitor } from './monitor.ts'

/** Checks that a browser only has sessions of users who authenticated in it. */
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
      if (person && !proofs.get(browser)?.has(person))
        throw new Breach(
          undefined,
          `${browser.name}'s browser has the session of ${person.name}, who never authenticated in it`,
          { observed: 'another user' },
        )
    },
  }
}
