import {
  checkingCsrf,
  defineFeature,
  faulted,
  type Feature,
  featureChart,
  type FeaturePages,
  final,
  type GateDecision,
  lapsed,
  openingHeldSignIn,
  refused,
  toolbox,
  userRecord,
  working,
} from 'authmachine/extend'

const { step, outcome, flow } = toolbox()

/** The chart of its page. */
export const gateChart = featureChart({
  id: 'gate',
  description: 'Ask, and continue the sign-in',
  initial: 'checkingCsrf',
  states: {
    checkingCsrf: checkingCsrf('openingHeldSignIn'),
    openingHeldSignIn: openingHeldSignIn('readingAnswer'),
    readingAnswer: working('Read the answer', 'readAnswer', {
      'answer.read': 'passed',
      'answer.absent': 'asking',
    }),
    passed: final('The sign-in continues', 'success'),
    asking: final('A page asks', 'success'),
    lapsed,
    refused,
    faulted,
  },
})

const gateFlow = flow({
  chart: gateChart,
  steps: {
    readAnswer: step({
      says: { 'answer.read': [], 'answer.absent': [] },
      run: (_, { request }) => ({ type: request.body['answer'] === 'yes' ? 'answer.read' : 'answer.absent' }),
    }),
  },
  outcomes: {
    passed: outcome({ answer: (_, tools) => tools.pass('yes') }),
    asking: outcome({ answer: (_, tools) => tools.show('gate') }),
  },
})

const pages: FeaturePages = {
  gate: (_, kit) => ({
    heading: 'A question',
    parts: [kit.form({ button: 'Yes', sends: { name: 'answer', value: 'yes' } })],
  }),
}

/** Defines a gate that asks each user once, at a route and with a record of its name. */
function defineGate(name: string, title: string) {
  const answered = userRecord<string>(name)
  return defineFeature({
    name,
    title,
    needs: ['getRecord', 'setRecord'],
    routes: { [name]: { methods: ['GET', 'POST'], flow: () => gateFlow } },
    gate: {
      description: 'Check that the user has answered',
      async check({ userId }, tools) {
        return userId !== undefined && (await answered.read(userId, tools)) ? 'pass' : 'hold'
      },
      async settle(userId, _answer, tools) {
        await answered.write(userId, 'yes', await answered.read(userId, tools), tools)
      },
    },
    pages,
  })
}

export const gate = defineGate('gate', 'Gate')

/** The gate behind the first. */
export const secondGate = defineGate('second-gate', 'Second gate')

/** A gate that asks at every sign-in, and so needs no store. */
export const constantGate = defineFeature({
  name: 'gate',
  title: 'Gate at every sign-in',
  routes: { gate: { methods: ['GET', 'POST'], flow: () => gateFlow } },
  gate: { description: 'Ask', check: () => 'hold' },
  pages,
})

/** The first gate with a check that returns what this function returns, like that of an application with a fault. */
export const answeringGate = (answer: () => unknown): Feature => ({
  ...gate,
  gate: { ...gate.gate, description: 'Ask', check: () => answer() as GateDecision },
})
