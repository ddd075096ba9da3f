import { expect, it } from 'vitest'
import { factorOf } from '../../src/flows/engine/world.ts'
import { createWorld } from '../../src/handler/run-flow.ts'
import { openWorld } from '../../src/handler/open-world.ts'
import { derive } from '../config/derive.ts'
import { withFactor } from '../support/second-factor.ts'

it('SF-01 a run that cannot load the second factor fails, unless the site has none', async () => {
  const settings = derive(withFactor())
  await expect(factorOf(createWorld(settings))).rejects.toThrow('cannot load the second factor')
  expect(await factorOf(openWorld(settings))).toHaveProperty('check')
  expect(await factorOf(createWorld(derive({})))).toBeUndefined()
})
