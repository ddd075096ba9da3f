import { createRequestListener } from '@remix-run/node-fetch-server'
import { afterEach, describe, expect, it } from 'vitest'
import { keepHeaders } from './keep-headers.ts'
import { leaks } from './leaks.ts'
import { answer, createSiteAuth, visit } from './small-site.ts'

/** The same requests each time, so that each leak is found each time. */
const seed = 1

describe.each(Object.entries(leaks))('a server that %s', (_, { open, fault }) => {
  let restore = () => {}
  afterEach(() => restore())

  it('is found by the visitors', async () => {
    restore = keepHeaders()
    const [auth, leak] = [createSiteAuth(), open()]
    const { faults } = await visit(
      createRequestListener((request) => leak(auth, request)),
      seed,
    )
    expect(faults.join('\n')).toMatch(fault)
  })
})

it('the visitors find no fault in a server without a leak', async () => {
  const auth = createSiteAuth()
  const { requests, faults } = await visit(
    createRequestListener((request) => answer(auth, request)),
    seed,
  )
  expect(faults).toEqual([])
  expect(requests).toBeGreaterThanOrEqual(200)
})
