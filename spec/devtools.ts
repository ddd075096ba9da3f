import type { Requirement } from './requirement.ts'

/** Devtools: the developer pages that show how flows run. */
export const devtools = [
  {
    id: 'DEC-37a',
    level: 'must',
    says: 'A recorded run contains only names from the library and its configuration, and times. It contains nothing from a request, a provider, a store or a thrown error.',
    source: 'docs/guides/devtools.md',
    status: 'decided',
    why: 'IL-02 and IL-03 for a page that others may see: data that was never recorded needs no redaction.',
  },
  {
    id: 'DEC-37b',
    level: 'must',
    says: 'Devtools cannot be created unless NODE_ENV is development or test, or dangerouslyAllowInProduction is set.',
    source: 'docs/guides/devtools.md',
    status: 'decided',
    why: 'A developer page that is mounted by mistake shows everyone what happens on a site.',
  },
  {
    id: 'DEC-37c',
    level: 'must',
    says: 'Devtools keep only the latest runs of each flow, serve a limited number of pages, and disconnect pages that do not read or were aborted.',
    source: 'docs/guides/devtools.md',
    status: 'decided',
    why: 'A development server runs for days, and session reads must not push out a failed sign-in.',
  },
  {
    id: 'DEC-37d',
    level: 'must',
    says: 'With debug and devtools, the error page links to the trace of the failed request; without either, no URL identifies a run. The id of a run cannot be guessed.',
    source: 'docs/guides/devtools.md',
    status: 'decided',
    why: 'Developers look at the error page for an explanation, and users must not be sent to a trace (IL-04).',
  },
  {
    id: 'DEC-37g',
    level: 'must',
    says: 'The pages of devtools return 403 unless the URL and the Host header name a loopback host or one of the option hosts.',
    source: 'docs/guides/devtools.md; HH-01',
    status: 'decided',
    why: 'With DNS rebinding, any page on the internet can read what a development server returns for arbitrary host names.',
  },
  {
    id: 'DEC-37e',
    level: 'must',
    says: 'A recorded run that is replayed as an XState actor goes through the recorded states, and runs no step.',
    source: 'docs/guides/devtools.md',
    status: 'decided',
    why: 'Inspectors show what happened (MD-02), and inspecting has no side effects.',
  },
  {
    id: 'DEC-37f',
    level: 'must',
    says: 'The pages of devtools contain no inline scripts or styles, and their Content-Security-Policy says so.',
    source: 'docs/guides/devtools.md; Decision 32',
    status: 'decided',
    why: 'They work even if the application sends its own strict policy.',
  },
] as const satisfies readonly Requirement[]
