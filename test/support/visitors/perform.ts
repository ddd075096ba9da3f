import { valuesOf, type Send } from './exchange.ts'
import type { Exchange } from './ledger.ts'
import type { Visit } from './plan.ts'
import type { Kind } from './requests.ts'
import type { Visitor } from './visitor.ts'

/** Makes a visit. @returns its exchange, after that for the CSRF token if the visitor had none */
export type Perform = (visit: Visit, done: (exchange: Exchange) => void) => Promise<void>

/** Creates the function that makes visits to a site and numbers the requests. */
export function createPerform(send: Send, kinds: readonly Kind[]): Perform {
  let requests = 0

  async function exchange(visitor: Visitor, kind: Kind, mark: string): Promise<Exchange> {
    const { headers, ...rest } = kind.create(visitor, mark)
    const [cookie, cookieNames, session] = [visitor.cookie(), visitor.cookieNames(), visitor.session()]
    const sent = { ...rest, headers: { ...headers, 'user-agent': visitor.name, ...(cookie && { cookie }) } }
    const label = `#${++requests} ${visitor.name}: ${kind.name}`
    const received = await send(sent)
    visitor.store(valuesOf(received, 'set-cookie'))
    return { label, kind, cookieNames, session, mark, sent, received }
  }

  const perform: Perform = async (visit, done) => {
    const { visitor, kind, isFresh } = visit
    if (isFresh) visitor.forget()
    const csrf = kinds.find(({ name }) => name === 'GET /csrf')
    if (kind.needsToken && csrf && visitor.csrfToken() === undefined)
      await perform({ visitor, kind: csrf, isFresh: false }, done)
    const mark = visitor.mark()
    // Another request of the same browser would end the sign-in that the gate holds.
    const browser = kind.passes ? visitor.copy() : visitor
    done(await exchange(browser, kind, mark))
    if (!kind.passes) return
    const passed = await exchange(browser, kind.passes, mark)
    visitor.store(valuesOf(passed.received, 'set-cookie'))
    done(passed)
  }
  return perform
}
