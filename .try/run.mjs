// resolve authmachine/* to src
import { registerHooks } from 'node:module'
registerHooks({ resolve(s, c, n) {
  if (s === 'authmachine') return n(new URL('../src/index.ts', import.meta.url).href, c)
  if (s.startsWith('authmachine/')) return n(new URL('../src/' + s.slice(12) + '.ts', import.meta.url).href, c)
  return n(s, c) } })
