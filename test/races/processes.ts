import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Idp } from '../../fuzz/world/idp/contract.ts'
import { pack, packAnswer, unpack, unpackAnswer, type Message } from './messages.ts'

/** Processes that serve one application with one database. */
export interface Processes {
  /** Sends a request to process n, modulo their number. */
  readonly handle: (n: number) => (request: Request) => Promise<Response>
  /** Requests an access token of the provider in process n. @returns the JSON result */
  readonly accessToken: (n: number, providerAccountId: string) => Promise<string>
  /** Links that any process has mailed. */
  readonly mails: string[]
  /** Errors that any process has logged. */
  readonly errors: string[]
  readonly stop: () => Promise<void>
}

interface ProcessOptions {
  /** The program in this folder. @default 'process.ts' */
  readonly program?: string
  readonly argument?: string
  /** The clock of all processes. @default the clock of the system */
  readonly now?: () => number
  /** Gets every message of the processes. */
  readonly hear?: (message: Message) => void
}

/** Starts `count` processes on a database. They reach the provider through this process. */
export async function startProcesses(
  count: number,
  url: string,
  idp: Pick<Idp, 'issuer' | 'fetch'>,
  { program = 'process.ts', argument = '', now, hear }: ProcessOptions = {},
): Promise<Processes> {
  const mails: string[] = []
  const errors: string[] = []
  const asked = new Map<number, (response: Response) => void>()
  const tokens = new Map<number, (text: string) => void>()
  let questions = 0

  const start = async (): Promise<ChildProcess> => {
    const path = fileURLToPath(new URL(program, import.meta.url))
    const child = fork(path, [url, idp.issuer, argument], { execArgv: [], serialization: 'advanced' })
    const kill = () => child.kill('SIGKILL')
    process.once('exit', kill)
    child.once('exit', () => process.off('exit', kill))
    const ready = once(child, 'message')
    child.on('message', (message: Message) => {
      hear?.(message)
      if (message.kind === 'mail') mails.push(message.url)
      if (message.kind === 'error') errors.push(message.message)
      if (message.kind === 'answer') asked.get(message.id)?.(unpackAnswer(message.answer))
      if (message.kind === 'token') tokens.get(message.id)?.(message.text)
      if (message.kind === 'fetch')
        void idp
          .fetch(unpack(message.request))
          .then(packAnswer)
          .then((answer) => child.send({ kind: 'answer', id: message.id, answer }))
    })
    await Promise.race([
      ready,
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`exited with ${code}`))),
    ])
    return child
  }

  const children = await Promise.all(Array.from({ length: count }, start))
  return {
    mails,
    errors,
    handle: (n) => async (request) => {
      const id = (questions += 1)
      const answer = new Promise<Response>((resolve) => asked.set(id, resolve))
      children[n % count]?.send({ kind: 'request', id, request: await pack(request), time: now?.() })
      return answer
    },
    accessToken(n, providerAccountId) {
      const id = (questions += 1)
      const given = new Promise<string>((resolve) => tokens.set(id, resolve))
      children[n % count]?.send({ kind: 'access-token', id, providerAccountId })
      return given
    },
    async stop() {
      const ended = children.map((child) => once(child, 'exit'))
      for (const child of children) child.send({ kind: 'end' })
      await Promise.all(ended)
    },
  }
}
