import { type ComponentChild, h } from 'preact'
import { explainError, referTo } from '../../errors/explanations.ts'
import type { RecordedRun } from './recorded-run.ts'
import { markCode, writePage } from './style.ts'
import { type GroupSummary, groupRuns, summarise, summariseGroup, type Summary } from './summary.ts'

/** The data of the list. */
export interface ListedRuns {
  readonly runs: readonly RecordedRun[]
  /** The types of a configuration fault and of its causes. */
  readonly fault: readonly string[]
}

/** Writes the page of recent runs in groups, the newest group first. Its script adds new ones. */
export function writeListPage({ runs, fault }: ListedRuns, path: string): string {
  return writePage({
    title: 'Live trace',
    path,
    children: [
      h('h1', {}, 'Live trace'),
      h('p', { class: 'lead' }, [
        'All flows as they run, grouped by sign-in, with the newest group first. ',
        'Open a request to see its path on the diagram. ',
        'Data from requests, providers and stores is not recorded.',
        ' ',
        h('a', { href: `${path}/explorer` }, 'Explore all flows'),
        '.',
      ]),
      createFault(fault),
      createTools(path),
      h(
        'ol',
        { class: 'runs', 'data-runs': '', 'aria-label': 'Runs' },
        groupRuns(runs).map((members) =>
          createGroup(
            summariseGroup(members),
            members.map((run) => createRow(summarise(run, path))),
          ),
        ),
      ),
      h('p', { class: 'empty' }, 'No flow has run yet. Sign in to your application to see one.'),
      h('p', { class: 'empty', 'data-none': '', hidden: true }, 'The filter hides all runs.'),
      h('template', { 'data-new-group': '' }, createGroup(blankGroup, [])),
      h('template', { 'data-row': '' }, createRow(blank)),
    ],
  })
}

/** A fault of the configuration runs no flow, so no run shows it. */
function createFault([type, ...causes]: readonly string[]): ComponentChild {
  if (type === undefined) return undefined
  const explained = explainError(causes.findLast((each) => explainError(each)) ?? type)
  return h('section', { class: 'failure fault', 'aria-labelledby': 'failure', 'data-fault': '' }, [
    h('h2', { id: 'failure' }, 'The configuration is invalid, so no flow runs'),
    explained && h('p', { class: 'reason' }, markCode(explained.sentence)),
    h('dl', {}, [
      explained && [h('dt', {}, 'What to do'), h('dd', {}, markCode(explained.fix))],
      h('dt', {}, 'Error'),
      h('dd', {}, [
        h('code', {}, [type, ...causes].join(', caused by ')),
        '. Its message is in the server log, and names the option.',
        explained && ` ${referTo(explained.section)}`,
      ]),
    ]),
  ])
}

/** The text field and the button need the script, which shows them. */
function createTools(path: string): ComponentChild {
  const check = (id: string, text: string, checked: boolean) =>
    h('span', { class: 'check' }, [
      h('input', { type: 'checkbox', id, checked }),
      h('label', { for: id }, text),
    ])
  return h('div', { class: 'tools', role: 'search', 'aria-label': 'Filter runs' }, [
    h('span', { class: 'find', 'data-scripted': '', hidden: true }, [
      h('label', { for: 'find' }, 'Filter'),
      h('input', { type: 'search', id: 'find', placeholder: 'Provider, flow, state …', autocomplete: 'off' }),
    ]),
    check('quiet', 'Hide routine session reads and passkey options', true),
    check('failed', 'Only failures', false),
    h('button', { type: 'button', 'data-clear': `${path}/runs`, 'data-scripted': '', hidden: true }, 'Clear'),
  ])
}

const blankGroup: GroupSummary = { id: '', title: '', look: '', outcome: '', count: '' }

/** The script fills the slots of a copy of the blank group. */
function createGroup(
  { id, title, look, outcome, count }: GroupSummary,
  rows: ComponentChild[],
): ComponentChild {
  const slot = (name: keyof GroupSummary, text: string) => h('span', { class: name, 'data-slot': name }, text)
  return h('li', { class: `group ${look}`, 'data-group': id }, [
    h('div', { class: 'story' }, [
      h('h2', {}, slot('title', title)),
      ' ',
      slot('outcome', outcome),
      ' ',
      slot('count', count),
    ]),
    h('ol', {}, rows),
  ])
}

const blank: Summary = {
  id: '',
  url: '#',
  flow: '',
  request: '',
  at: '',
  look: '',
  verdict: '',
  took: '',
  reason: '',
}

/** The script fills the slots of a copy of the blank row. */
export function createRow(
  { id, url, flow, request, at, look, verdict, took, reason }: Summary,
  current?: 'page',
): ComponentChild {
  const slot = (name: keyof Summary, text: string) => h('span', { class: name, 'data-slot': name }, text)
  return h('li', { class: `run ${look}`, 'data-run': id, 'data-flow': flow }, [
    h('a', { href: url, 'aria-current': current }, [
      slot('flow', flow),
      ' ',
      slot('verdict', verdict),
      ' ',
      slot('request', request),
      ' ',
      h('span', { class: 'when' }, [
        h('time', { 'data-slot': 'at', dateTime: at }, at.slice(11, 19)),
        ' · ',
        slot('took', took),
      ]),
      ' ',
      slot('reason', reason),
    ]),
  ])
}
