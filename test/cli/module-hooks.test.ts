import { expect, it } from 'vitest'
import { moduleHooks } from '../../src/tools/cli/module-hooks.ts'

interface Hooks {
  readonly initialize: (data: { readonly compiler: string; readonly compiles: boolean }) => void
  readonly load: (url: string, context: object, next: () => string) => Promise<unknown>
}

it('CLI-003 leaves TypeScript to Node if the compiler of the project has no interface, as TypeScript 7', async () => {
  const hooks = (await import(`data:text/javascript,${encodeURIComponent(moduleHooks)}`)) as Hooks
  hooks.initialize({ compiler: 'data:text/javascript,export default {}', compiles: true })
  expect(await hooks.load('file:///site/auth.ts', {}, () => 'loaded by Node')).toBe('loaded by Node')
})
