import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { knows } from '../../machines/journey-run.ts'
import { journeyChart } from '../../machines/journey.ts'
import { findRefusal, type RecordedRun } from '../support/journeys/check.ts'
import { findNeeded, nameEdge } from '../support/journeys/edges.ts'

/** The events that the browsers of the other files cause at least once, by the way to sign in. */
const expected = {
  provider: ['sign-in.sent-to-provider', 'callback.signed-in', 'callback.declined', 'callback.refused'],
  link: ['email-request.link-mailed', 'email-verification.signed-in', 'email-verification.invalid'],
  credentials: ['credentials.signed-in', 'credentials.declined'],
  passkey: ['webauthn-options.answered', 'webauthn.signed-in', 'webauthn.unproven'],
  session: ['session.anonymous', 'session.presented', 'sign-out.signed-out'],
}

describe('the recorded browser runs', () => {
  let runs: readonly RecordedRun[]

  beforeAll(async () => {
    const folder = inject('recordedRuns')
    const files = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
    )
    runs = files.flatMap((text) => JSON.parse(text) as RecordedRun[])
  })

  it('MD-02 cover every way to sign in, including cancelled and failed attempts (run all files: `npm test -- browser`)', () => {
    const events = new Set(runs.flatMap(({ steps }) => steps.flatMap((step) => step.events)))
    expect(Object.values(expected).flatMap((list) => list.filter((event) => !events.has(event)))).toEqual([])
  })

  it('MD-02 follow the journey', () => {
    expect(runs.flatMap((run) => findRefusal(run) ?? [])).toEqual([])
  })

  it.each(Object.entries(expected))('MD-02 depend on the edges of the journey for %s', (_, events) => {
    const needed = findNeeded(runs)
    for (const [region, chart] of Object.entries(journeyChart.states))
      for (const event of events.filter((each) => knows(chart, each))) {
        const here = needed.filter((edge) => edge.event === event && edge.at.split('.')[0] === region)
        expect(here.map(nameEdge), `without the edges of ${event} in ${region}`).not.toEqual([])
      }
  })
})
