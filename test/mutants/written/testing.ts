import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in the testing kit, and in what the oracle accepts from a hostile application. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('fuzz/testing/identity-provider.ts', [
    {
      id: 'tools/provider-chooses-nobody',
      in: 'choose',
      find: 'idp.choose(sub)',
      replace: '',
      breaks: ['KIT-001'],
    },
    {
      id: 'tools/provider-behaves-from-the-beginning',
      in: 'mockIdentityProvider',
      find: 'misbehave, ...(clients',
      replace: 'misbehave: misbehave.slice(0, 0), ...(clients',
      breaks: ['KIT-002'],
    },
  ]),
  ...mutantsOf('fuzz/testing/mailbox.ts', [
    {
      id: 'tools/mailbox-gives-the-first',
      in: 'linkTo',
      find: '.findLast',
      replace: '.find',
      breaks: ['KIT-005'],
    },
  ]),
  ...mutantsOf('fuzz/testing/session-cookie.ts', [
    { id: 'tools/session-without-claims', in: 'seal', find: ', ...claims', replace: '', breaks: ['KIT-003'] },
  ]),
  ...mutantsOf('fuzz/testing/virtual-clock.ts', [
    {
      id: 'tools/clock-rings-in-any-order',
      in: 'advance',
      find: '.toSorted((a, b) => a.due - b.due)',
      replace: '',
      breaks: ['KIT-004'],
    },
  ]),
  ...mutantsOf('fuzz/targets/running.ts', [
    {
      id: 'oracle/attacks-any-host',
      in: 'sendTo',
      find: 'if (to !== origin)',
      replace: "if (to === '')",
      breaks: ['CLI-012'],
    },
    {
      id: 'oracle/reads-without-end',
      in: 'sendTo',
      find: 'if (isCut)',
      replace: "if (isCut && to === '')",
      breaks: ['CLI-011'],
    },
    {
      id: 'oracle/gives-up-on-closed-connections',
      in: 'codeOf',
      find: 'return cause instanceof Error',
      replace: 'return cause === null',
      breaks: ['CLI-017'],
    },
  ]),
  ...mutantsOf('fuzz/world/origin-of.ts', [
    {
      id: 'oracle/sends-no-origin',
      in: 'originOf',
      find: "method === 'HEAD'",
      replace: "method !== ''",
      breaks: ['CLI-017'],
    },
  ]),
  ...mutantsOf('fuzz/targets/url.ts', [
    {
      id: 'oracle/tries-every-provider',
      in: 'findProviders',
      find: 'if (listed.length > maxProviders)',
      replace: 'if (listed.length > maxProviders * 1000)',
      breaks: ['CLI-011'],
    },
  ]),
  ...mutantsOf('fuzz/world/open-browser.ts', [
    {
      id: 'oracle/takes-a-path-for-a-host',
      in: 'openBrowser',
      find: "path.startsWith('/') ? `${origin}${path}` : path, origin",
      replace: 'path, origin',
      breaks: ['CLI-012'],
    },
  ]),
  ...mutantsOf('fuzz/world/hosted.ts', [
    {
      id: 'oracle/ends-with-a-connection',
      in: 'listen',
      find: "server.on('error', reject)",
      replace: "(server as import('node:events').EventEmitter).once('error', reject)",
      breaks: ['CLI-013'],
    },
    {
      id: 'oracle/keeps-any-mail',
      in: 'openMailServer',
      find: 'size: sizeLimit,',
      replace: '',
      breaks: ['CLI-013'],
    },
    {
      id: 'oracle/keeps-any-request',
      in: 'openHosted',
      find: 'if (isCut)',
      replace: "if (isCut && method === '')",
      breaks: ['CLI-013'],
    },
    {
      id: 'oracle/prints-a-request-as-it-comes',
      in: 'openHosted',
      find: '{ onError: () => {} }',
      replace: '{}',
      breaks: ['CLI-010'],
    },
  ]),
  ...mutantsOf('fuzz/report/text.ts', [
    {
      id: 'oracle/reasons-forge-verdicts',
      in: 'listQuiet',
      find: '${escapeControls(reason)}',
      replace: '${reason}',
      breaks: ['CLI-010'],
    },
  ]),
]
