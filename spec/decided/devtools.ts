import type { Requirement } from '../requirement.ts'

/** Decisions about what shows a developer the flows as they happen. */
export const devtoolsDecisions = [
  {
    id: 'DEC-37a',
    level: 'must',
    says: 'A recorded run holds names that the library and its configuration give, and times; nothing that a request, a provider, a store or a thrown error brought.',
    source: 'docs/guides/devtools.md',
    status: 'decided',
    why: 'IL-02 and IL-03 for a page that others may see: what was never recorded needs no redaction.',
  },
  {
    id: 'DEC-37b',
    level: 'must',
    says: 'Devtools refuse to be made unless NODE_ENV is development or test, or dangerouslyAllowInProduction says otherwise.',
    source: 'docs/guides/devtools.md',
    status: 'decided',
    why: 'A page for developers that is mounted by mistake shows everybody what happens on a site.',
  },
  {
    id: 'DEC-37c',
    level: 'must',
    says: 'Devtools keep no more than the last runs of each flow, follow no more than so many pages, and let go of a page that does not read or that was aborted.',
    source: 'docs/guides/devtools.md',
    status: 'decided',
    why: 'A development server runs for days, and reading sessions must not push a failed sign-in out.',
  },
  {
    id: 'DEC-37d',
    level: 'must',
    says: 'With debug and devtools the error page leads to the trace of the request that failed; without either, no address names a run. The id of a run cannot be guessed.',
    source: 'docs/guides/devtools.md',
    status: 'decided',
    why: 'The error page is where a developer asks what happened, and a user must not be led there (IL-04).',
  },
  {
    id: 'DEC-37g',
    level: 'must',
    says: 'The pages of devtools answer 403 unless the URL and the Host header name a loopback host or one of the option hosts.',
    source: 'docs/guides/devtools.md; HH-01',
    status: 'decided',
    why: 'DNS rebinding lets any page on the internet read what a development server answers to every name.',
  },
  {
    id: 'DEC-37e',
    level: 'must',
    says: 'A recorded run that is replayed as an actor of XState goes through the states that were recorded, and runs no step.',
    source: 'docs/guides/devtools.md',
    status: 'decided',
    why: 'Inspectors show what happened (MD-02), and looking at it changes nothing.',
  },
  {
    id: 'DEC-37f',
    level: 'must',
    says: 'The pages of devtools have neither scripts nor styles inline, and say so in their Content-Security-Policy.',
    source: 'docs/guides/devtools.md; decision 32',
    status: 'decided',
    why: 'They work where the application sends a strict policy of its own.',
  },
] as const satisfies readonly Requirement[]
