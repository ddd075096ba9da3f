import { h, type ComponentChild } from 'preact'
import { writePage } from './frame.ts'
import type { Summary } from './summary.ts'

/** The page of recent runs, the newest first; its script adds to it what happens. */
export function writeListPage(summaries: readonly Summary[], path: string): string {
  return writePage({
    title: 'Live trace',
    path,
    children: [
      h('h1', {}, 'Live trace'),
      h('p', { class: 'lead' }, [
        'Every flow that a request runs, as it happens, the newest first. ',
        'Each opens as the drawing of its chart, with the path that it took. ',
        'What requests, providers and stores brought is not recorded.',
      ]),
      h('p', { class: 'filter' }, [
        h('input', { type: 'checkbox', id: 'quiet', checked: true }),
        h('label', { for: 'quiet' }, 'Hide session reads that went well'),
      ]),
      h('ol', { class: 'runs', 'data-runs': '', 'aria-label': 'Runs' }, summaries.map(createRow)),
      h('p', { class: 'empty' }, 'Nothing has happened yet. Sign in somewhere, and watch.'),
      h('template', { 'data-row': '' }, createRow(blank)),
    ],
  })
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

/** The script fills the slots of a copy of the blank one. */
function createRow({ id, url, flow, request, at, look, verdict, took, reason }: Summary): ComponentChild {
  const slot = (name: keyof Summary, text: string) => h('span', { class: name, 'data-slot': name }, text)
  return h('li', { class: `run ${look}`, 'data-run': id, 'data-flow': flow }, [
    h('a', { href: url }, [
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
