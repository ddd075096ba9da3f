import type { Chart } from '../../machines/chart.ts'

/** A chart with edges in all directions, whose names and texts contain markup and syntax of every format. */
export const hostileChart = {
  id: 'a"b\\c <d>&;#e%%',
  description: '--> "quoted" {braces} [*] `ticks` </title></svg><script>x()</script> \\',
  meta: { spec: ['TX-01'] },
  initial: 'end',
  on: { fault: '.gone', 'fault:2 "x"': '.gone' },
  states: {
    end: {
      description: 'a | b; "c" \n d',
      meta: { spec: ['TX-01', 'TX-02'] },
      invoke: { id: 'step"', src: 'step"' },
      on: { 'a --> b': 'note', 'x;y#z%%{}': 'gone', '<br/>': 'end' },
    },
    note: {
      description: 'a compound state',
      meta: { spec: ['TX-03'] },
      initial: 'a_b',
      on: { all: '.state', out: 'class "x" {', again: 'end' },
      states: {
        a_b: { description: '', meta: { spec: ['TX-04'] }, invoke: { id: 's', src: 's' }, on: { on: 'a' } },
        a: {
          description: '',
          meta: { spec: ['TX-05'] },
          initial: 'b',
          on: { left: 'a_b' },
          states: {
            b: { description: '', meta: { spec: ['TX-05'] }, invoke: { id: 's', src: 's' }, on: {} },
          },
        },
        state: { description: '', meta: { spec: ['TX-06'] }, invoke: { id: 's', src: 's' }, on: {} },
      },
    },
    'class "x" {': { type: 'final', description: 'é 漢字', meta: { spec: ['TX-07'], ending: 'success' } },
    gone: { type: 'final', description: '</svg>', meta: { spec: ['TX-08'], ending: 'fault' } },
  },
} as const satisfies Chart
