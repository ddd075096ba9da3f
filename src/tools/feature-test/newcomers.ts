import { admitted, admitting, featureChart, working } from '../../../machines/feature.ts'
import { faulted } from '../../../machines/endings.ts'
import { checkingCsrf, refused } from '../../../machines/opening.ts'
import { toolbox } from '../../extend/toolbox.ts'
import type { Feature } from '../../types/feature.ts'
import { findFault } from '../../types/symbols.ts'

const { step, flow } = toolbox()

/** A way to sign in for people whom the site does not know yet. */
export const newcomers: Feature = {
  name: 'newcomer-of-the-kit',
  title: 'Newcomers',
  [findFault]: () => undefined,
  signIn: { amr: 'user' },
  routes: {
    'newcomer-of-the-kit': {
      methods: ['POST'],
      flow: () =>
        flow({
          chart: featureChart({
            id: 'newcomer-of-the-kit',
            description: 'Sign in a user whom the site does not know',
            initial: 'checkingCsrf',
            states: {
              checkingCsrf: checkingCsrf('arriving'),
              arriving: working('Prove a new identity', 'arrive', { 'newcomer.arrived': 'admitting' }),
              admitting,
              ...admitted,
              refused,
              faulted,
            },
          }),
          steps: {
            arrive: step({
              says: { 'newcomer.arrived': ['identity'] },
              run: () => ({ type: 'newcomer.arrived', identity: { id: 'newcomer', profile } }),
            }),
          },
          outcomes: {},
        }),
    },
  },
}

const profile = { name: 'Newcomer', email: 'newcomer@example.com' }
