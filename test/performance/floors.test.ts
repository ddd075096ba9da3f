import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { answerAsProvider } from '../bench/application.ts'
import { checkFloors, openOurs } from '../bench/check-floors.ts'
import { openFloorFlows } from '../bench/floors/open.ts'
import { browse, signIns } from '../bench/sign-ins.ts'
import { admits, attacks } from './attacks.ts'

beforeAll(() => void vi.stubGlobal('fetch', answerAsProvider))
afterAll(() => void vi.unstubAllGlobals())

describe('the floors of the benchmark', () => {
  it('send the responses of the library', async () => {
    await expect(checkFloors()).resolves.toBeUndefined()
  })

  it.each([
    ['authmachine', openOurs],
    ['the protected floor', () => openFloorFlows('protected floor')],
  ])('%s refuses what the library promises to refuse', async (_, open) => {
    const opened = await open()
    const admitted: string[] = []
    for (const [attack, send] of Object.entries(attacks))
      if (admits(await send(opened))) admitted.push(attack)
    expect(admitted).toEqual([])
    for (const flow of signIns.filter((each) => each !== 'sign-out'))
      expect(admits(await browse[flow](opened.handles[flow], opened.site)), flow).toBe(true)
  })
})
