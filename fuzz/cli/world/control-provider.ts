import type { Hosted } from '../../world/hosted.ts'
import type { Idp } from '../../world/idp/contract.ts'
import type { Claims, Fault } from '../../world/idp/faults.ts'

/** The changes of a provider that the script of a failure can request, with their arguments. */
const changes: Readonly<Record<string, (idp: Idp, values: readonly unknown[]) => void>> = {
  choose: (idp, [sub]) => idp.choose(String(sub)),
  misbehave: (idp, faults) => idp.misbehave(...faults.map((fault) => String(fault) as Fault)),
  addToTokens: (idp, [members]) => idp.addToTokens(readMembers(members)),
  addToClaims: (idp, [claims]) => idp.addToClaims(readMembers(claims)),
  rotate: (idp) => idp.rotate(),
  revokeTokens: (idp) => idp.revokeTokens(),
}

/**
 * Changes a provider as the script of a failure asks: `{ "provider": "alpha", "do": "misbehave", "with": ["state-wrong"] }`.
 * `{ "do": "reset" }` removes the faults, members and claims that were set.
 *
 * @returns the response to the script
 */
export function controlProvider(idps: Hosted['idps'], body: string): Response {
  const { provider = '', do: change = '', with: values = [] } = readChange(body)
  if (change === 'reset') {
    for (const idp of Object.values(idps)) {
      idp.misbehave()
      idp.addToTokens({})
      idp.addToClaims({})
      idp.forget()
    }
    return new Response(null, { status: 204 })
  }
  const idp = new Map<string, Idp>(Object.entries(idps)).get(provider)
  const apply = new Map(Object.entries(changes)).get(change)
  if (!idp || !apply || !Array.isArray(values))
    return new Response('unknown provider or change\n', { status: 400 })
  apply(idp, values)
  return new Response(null, { status: 204 })
}

interface Change {
  readonly provider?: string
  readonly do?: string
  readonly with?: unknown
}

function readChange(body: string): Change {
  try {
    return Object(JSON.parse(body)) as Change
  } catch {
    return {}
  }
}

function readMembers(value: unknown): Claims {
  return { ...Object(value) } as Claims
}
