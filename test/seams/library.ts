import { existsSync } from 'node:fs'
import { renewModules } from '../../fuzz/run/renew-modules.ts'
import * as errors from '../../src/errors.ts'
import { Auth, createActionURL, customFetch, raw, setEnvDefaults, skipCSRFCheck } from '../../src/index.ts'

/** The exports that the ecosystem's integrations call, of either library. */
export interface Library {
  readonly name: string
  readonly Auth: (request: Request, config: object) => Promise<unknown>
  readonly setEnvDefaults: (environment: object, config: object) => void
  readonly createActionURL: (...args: readonly unknown[]) => URL
  readonly raw: symbol
  readonly skipCSRFCheck: symbol
  readonly customFetch: symbol
  readonly errors: Readonly<Record<string, new (...args: readonly unknown[]) => Error>>
}

const asExported = { Auth, createActionURL, customFetch, raw, setEnvDefaults, skipCSRFCheck, errors }

/** This library, through its public exports. */
export const ours = { name: 'authmachine', ...asExported } as unknown as Library

const folder = new URL('../../fuzz/peers/core/node_modules/@auth/core/', import.meta.url)

/** Whether the published library is installed (`npm ci --prefix fuzz/peers/core`). */
export const hasPeer = existsSync(new URL('package.json', folder))

/**
 * Returns a function that loads the published library through its public exports. Each call loads it again, because it
 * keeps state from one configuration to the next.
 */
export function openPeer(): () => Promise<Library> {
  const renew = renewModules([folder.href])
  return async () => {
    const index = renew(new URL('index.js', folder).href)
    const errorsOfIndex = new URL('errors.js', index)
    errorsOfIndex.search = new URL(index).search
    const exported = (await import(index)) as object
    return { name: '@auth/core', ...exported, errors: await import(errorsOfIndex.href) } as unknown as Library
  }
}
