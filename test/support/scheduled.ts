import { defaultCallbacks } from '../../src/config/default-callbacks.ts'
import { platform } from '../../src/types/symbols.ts'
import type { Race } from '../../fuzz/world/race.ts'
import { openApp, type App, type AppOptions } from './app.ts'

/** An application whose adapter, fetch, callbacks and events run under fast-check's scheduler. */
export function openRaceApp<T extends App = App>(
  race: Race,
  options: AppOptions = {},
  open: (options: AppOptions) => T = (given) => openApp(given) as T,
): T {
  const { config, wrap = (same) => same } = options
  const send: typeof fetch = (input, init) => race.around('fetch', () => app.idp.fetch(input, init))
  const app = open({
    ...options,
    wrap: (store) => race.scheduled('store', wrap(store)),
    config: {
      ...config,
      callbacks: race.scheduled('callback', { ...defaultCallbacks, ...config?.callbacks }),
      [platform]: { fetch: send, ...config?.[platform] },
    },
  })
  if (app.config.events) app.config.events = race.scheduled('event', app.config.events)
  return app
}
