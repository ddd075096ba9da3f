import { existsSync } from 'node:fs'

/** Imports a module of `peers/`, which has its own packages. @throws Error when they are not installed */
export async function loadPeer<Module>(
  name: 'auth-core' | 'auth-express' | 'autocannon' | 'better-auth' | 'session-readers' | 'vega',
): Promise<Module> {
  const folder = new URL('peers/', import.meta.url)
  if (!existsSync(new URL('node_modules', folder)))
    throw new Error('The peers are not installed: npm ci --prefix test/bench/peers')
  return (await import(new URL(`${name}.js`, folder).href)) as Module
}
