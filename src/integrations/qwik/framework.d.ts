/**
 * The parts of Qwik that the library uses, so that the library compiles without Qwik. If Qwik is installed, its own
 * types apply: `npm run test:integrations` compiles against them.
 */
declare module '@builder.io/qwik' {
  export interface QRL<Callback extends (...args: never[]) => unknown> {
    (...args: Parameters<Callback>): Promise<Awaited<ReturnType<Callback>>>
  }
  export const implicit$FirstArg: <First extends (...args: never[]) => unknown, Result>(
    take: (qrl: QRL<First>) => Result,
  ) => (first: First) => Result
}

declare module '@builder.io/qwik/build' {
  export const isServer: boolean
}

declare module '@builder.io/qwik-city' {
  import type { QwikActionEvent, QwikEvent } from './serve-event.ts'

  export type RequestEventCommon = QwikEvent
  export interface Action<Result, Input> {
    (): {
      readonly value: Result | undefined
      readonly submit: (input?: Input) => Promise<{ readonly value: Result }>
    }
  }
  export interface Loader<Value> {
    (): { readonly value: Value }
  }
  export const globalAction$: <Result>(
    act: (data: Readonly<Record<string, unknown>>, event: QwikActionEvent) => Promise<Result>,
  ) => Action<Result, unknown>
  export const routeLoader$: <Value>(load: (event: RequestEventCommon) => Value) => Loader<Value>
}
