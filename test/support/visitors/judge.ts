import { createHeaderCheck, findRepeatedCookies } from './headers.ts'
import { createLedger, sessionsIn, type Exchange } from './ledger.ts'

/** Judges exchanges that ran at the same time. @returns a sentence for each fault */
export type Judge = (exchanges: readonly Exchange[]) => string[]

/** Creates a judge that remembers what every visitor sent and received. */
export function createJudge(): Judge {
  const ledger = createLedger()
  const compareHeaders = createHeaderCheck()

  /** Lists responses that no longer work, because a site that signs nobody in has nothing to leak. */
  function findBroken(exchange: Exchange): string[] {
    const { kind, session, received } = exchange
    const givesSession = sessionsIn(exchange).length > 0
    const name = session && ledger.nameIn(session)
    return [
      ...(received.status >= 500 ? [`has status ${received.status}`] : []),
      ...(kind.signsIn && !kind.passes && !givesSession ? ['does not sign in'] : []),
      ...(kind.passes && givesSession ? ['signs in before the gate'] : []),
      ...(!kind.signsIn && !session && givesSession ? ['signs in a visitor without a session'] : []),
      ...(kind.name === 'GET /session' && !received.body.includes(name ?? 'null')
        ? [`shows a session other than ${name ?? 'null'}: ${received.body}`]
        : []),
    ]
  }

  return (exchanges) => {
    ledger.note(exchanges)
    return exchanges.flatMap((exchange) => {
      const faults = [
        ...ledger.findForeign(exchange),
        ...findRepeatedCookies(exchange.received),
        ...compareHeaders(exchange),
        ...findBroken(exchange),
      ]
      return faults.map((fault) => `${exchange.label} ${fault}`)
    })
  }
}
