import {
  checkingCsrf,
  defineFeature,
  faulted,
  type FeatureDefinition,
  featureChart,
  final,
  type GateDecision,
  refused,
  toolbox,
  working,
} from 'authmachine/extend'
import { testFeature } from 'authmachine/extend/testing'
import { describe, expect, it } from 'vitest'
import { invitation } from '../../docs/examples/features/invitation.ts'
import { phone } from '../../docs/examples/features/phone.ts'
import { terms } from '../../docs/examples/features/terms.ts'

const club = invitation({ use: async () => true, giveBack: async () => undefined })
const { step, outcome, flow } = toolbox<{ readonly text: string }>()
const showing = outcome({ answer: (_, tools) => tools.show('poem') })

const writing = working('Write a poem', 'write', { 'poem.written': 'written' })
const chart = featureChart({
  id: 'poem',
  description: 'Write a poem',
  initial: 'checkingCsrf',
  states: {
    checkingCsrf: checkingCsrf('writing'),
    writing,
    written: final('A page shows it', 'success'),
    refused,
    faulted,
  },
})
const write = step({ says: { 'poem.written': [] }, run: () => ({ type: 'poem.written' }) })
const poemFlow = flow({ chart, steps: { write }, outcomes: { written: showing } })

/** A feature, some of whose parts are wrong. */
function make(more: Partial<FeatureDefinition> = {}) {
  return defineFeature({
    name: 'poem',
    title: 'Poem',
    options: {},
    routes: { poem: { methods: ['GET', 'POST'], flow: () => poemFlow } },
    pages: { poem: () => ({ heading: 'A poem', parts: [] }) },
    ...more,
  })
}

/** An author without a compiler can combine a chart with anything. */
const untyped = flow as (given: object) => typeof poemFlow
const routeTo = (poem: typeof poemFlow) =>
  make({ routes: { poem: { methods: ['GET', 'POST'], flow: () => poem } } })

describe('the testing kit of features', () => {
  it('FT-07 tries the flows and the routes of a feature, and its gate in every way to sign in', async () => {
    const report = await testFeature(terms({ version: '1', url: '/terms' }))
    expect(report.flows).toEqual(['terms'])
    expect(report.gated.toSorted()).toEqual([
      'callback',
      'credentials',
      'email-verification',
      'mail-code-guess',
      'password-reset',
      'webauthn',
    ])
    expect(report.paths).toBeGreaterThan(500)
    expect((await testFeature(club)).flows).toEqual(['invitation', 'invitation-link'])
    const way = await testFeature(phone({ send: async () => undefined }))
    expect(way).toMatchObject({ flows: ['phone', 'phone-code'], gated: [] })
    expect(way.paths).toBeGreaterThan(100)
    expect(await testFeature(make())).toEqual({ flows: ['poem'], gated: [], paths: 5 })
  })

  const faults: readonly (readonly [string, () => ReturnType<typeof make>])[] = [
    [
      'poem: The state "writing" invokes the step "write", which does not exist',
      () => routeTo(untyped({ chart, steps: {}, outcomes: { written: showing } })),
    ],
    [
      'poem: The final state "written" has no outcome',
      () => routeTo(untyped({ chart, steps: { write }, outcomes: {} })),
    ],
    [
      'poem: The state "writing" does not handle the event "poem.lost"',
      () => {
        const losing = step({
          says: { 'poem.written': [], 'poem.lost': [] },
          run: () => ({ type: 'poem.written' }),
        })
        return routeTo(untyped({ chart, steps: { write: losing }, outcomes: { written: showing } }))
      },
    ],
    [
      'poem: The step "write" of the state "writing" never reports "poem.written"',
      () => {
        const other = step({ says: {}, run: () => expect.fail() })
        return routeTo(untyped({ chart, steps: { write: other }, outcomes: { written: showing } }))
      },
    ],
    [
      'poem: The state "written" needs the fact "text", which a path to it does not provide',
      () => {
        const written = outcome({ needs: ['text'], answer: (_, tools) => tools.show('poem') })
        return routeTo(flow({ chart, steps: { write }, outcomes: { written } }))
      },
    ],
    [
      'poem: No path leads to the state "lonely"',
      () => {
        const states = { ...chart.states, lonely: final('Nobody comes here', 'refusal') }
        return routeTo(
          untyped({
            chart: { ...chart, states },
            steps: { write },
            outcomes: { written: showing, lonely: showing },
          }),
        )
      },
    ],
    [
      'poem: No path leads from "writing" to a final state',
      () => {
        const round = { ...writing, on: { 'poem.written': 'writing', fault: 'writing' } }
        const states = { ...chart.states, writing: round }
        return routeTo(
          untyped({ chart: { ...chart, states }, steps: { write }, outcomes: { written: showing } }),
        )
      },
    ],
    ['GET /auth/poem has status 500: The feature "poem" has no page "poem"', () => make({ pages: {} })],
    [
      'POST /auth/poem must refuse a wrong CSRF token',
      () => {
        const { checkingCsrf: _, ...states } = chart.states
        const unchecked = { ...chart, initial: 'writing', states }
        return routeTo(untyped({ chart: unchecked, steps: { write }, outcomes: { written: showing } }))
      },
    ],
    [
      'The gate fails for ada: broken',
      () =>
        make({
          gate: {
            description: 'Check',
            check(): GateDecision {
              throw new Error('broken')
            },
          },
        }),
    ],
    [
      'The page of the gate has status 500: The feature "poem" has no English text "titel"',
      () =>
        make({
          pages: { poem: (_, kit) => ({ heading: kit.t('titel'), parts: [] }) },
          texts: { en: { title: 'A poem' } },
          gate: { description: 'Check', check: (): GateDecision => 'pass' },
        }),
    ],
    [
      'The gate fails for newcomer: Cannot read properties of undefined',
      () =>
        make({
          // @ts-expect-error a new user has no id
          gate: { description: 'Check', check: ({ userId }) => (userId.length > 0 ? 'pass' : 'hold') },
        }),
    ],
    ['It has `signIn`, but no flow with `admitting`', () => make({ signIn: { amr: 'sms' } })],
    [
      'phone-code: It contains `admitting`, but the feature has no `signIn`',
      () => {
        const { signIn: _way, ...gateless } = phone({ send: async () => undefined })
        return gateless
      },
    ],
    [
      'The form on the sign-in page posts to no route of the feature',
      () => ({
        ...phone({ send: async () => undefined }),
        signIn: { amr: 'sms', form: () => ({ action: 'phones', button: 'Send' }) },
      }),
    ],
    [
      'The sign-in page has status 500: The feature "phone" has no English text "sent it"',
      () => ({
        ...phone({ send: async () => undefined }),
        signIn: { amr: 'sms', form: ({ t }) => ({ button: t('sent it') }) },
      }),
    ],
  ]

  it.each(faults)('FT-07 reports: %s', async (message, broken) => {
    await expect(testFeature(broken())).rejects.toThrow(message)
  })
})
