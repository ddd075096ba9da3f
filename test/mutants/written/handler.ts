import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in the handler. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/handler/answer.ts', [
    {
      id: 'handler/refusals-cached',
      in: 'respondRefused',
      find: 'body, private: true',
      replace: 'body',
      breaks: ['DEC-32d'],
    },
    {
      id: 'handler/fault-is-fine',
      in: 'respondMisconfigured',
      find: 'status: 500',
      replace: 'status: 200',
      breaks: ['CF-03', 'WIR-004'],
    },
    {
      id: 'handler/fault-at-an-untrusted-host',
      in: 'respondToFault',
      find: 'origin === undefined && new URL(url).origin === visit.origin ? pathOf(url) : url',
      replace: 'url',
      breaks: ['HH-01'],
    },
    {
      id: 'advisories/wrong-base-path-is-not-there',
      in: 'respondRefused',
      find: 'if (status === 404 && settings.fault) return respondMisconfigured(copyOfError(settings.fault))',
      replace: '',
      breaks: ['CF-01'],
    },
  ]),
  ...mutantsOf('src/handler/error-location.ts', [
    {
      id: 'handler/error-told',
      in: 'locateError',
      find: "isClientError(error) ? error.type : 'Configuration'",
      replace: 'error.type',
      breaks: ['WIR-008', 'IL-04'],
    },
    {
      id: 'handler/error-cookies-lost',
      in: 'locateResult',
      find: 'showsError: true,',
      replace: 'showsError: true, cookies: [],',
      breaks: ['WIR-022', 'DEC-12a'],
    },
    {
      id: 'handler/foreign-target-on-own-page',
      in: 'findTarget',
      find: 'isOfOrigin(target, visit.origin)',
      replace: 'true',
      breaks: ['RD-11', 'RD-08'],
    },
    {
      id: 'advisories/error-page-leads-on',
      in: 'locateError',
      find: "Configuration')",
      replace:
        "Configuration')\nfor (const [name, value] of (visit as Visit).query) if (name !== 'error') page.searchParams.set(name, value)",
      breaks: ['RD-08'],
    },
  ]),
  ...mutantsOf('src/flows/engine/result.ts', [
    {
      id: 'handler/json-cached',
      in: 'json',
      find: 'private: true,',
      replace: '',
      breaks: ['WIR-013', 'CK-12'],
    },
    {
      id: 'handler/page-cached',
      in: 'show',
      find: 'page, private: true',
      replace: "page, headers: { 'Cache-Control': 'public' }",
      breaks: ['CK-13', 'DEC-32a'],
    },
  ]),
  ...mutantsOf('src/handler/create-handler.ts', [
    {
      id: 'handler/unknown-provider-passes',
      in: 'respondToRoute',
      find: 'if (visit.providerId !== undefined && !provider)',
      replace: 'if (false)',
      breaks: ['DEC-31c', 'HH-05', 'WIR-002'],
    },
    {
      id: 'handler/any-method',
      in: 'respondToRoute',
      find: '.find(({ method }) => method === visit.method)',
      replace: '[0]',
      breaks: ['DEC-31a', 'HH-04'],
    },
    {
      id: 'handler/fault-forgotten',
      in: 'createResponder',
      find: 'return fault ? sendFault(fault) :',
      replace: 'return',
      breaks: ['CF-03', 'WIR-004', 'WIR-005'],
    },
  ]),
  ...mutantsOf('src/handler/run-flow.ts', [
    {
      id: 'options/legacy-tokens-as-before',
      in: 'keyringOf',
      find: 'jwt.acceptLegacyTokens',
      replace: 'true',
      breaks: ['OPT-022'],
    },
    {
      id: 'devtools/url-as-request',
      in: 'runFlow',
      find: ': providerId',
      replace: ': `${providerId}${visit.request.url}`',
      breaks: ['DEC-37a'],
    },
    {
      id: 'races/one-outbox',
      in: 'createWorld',
      find: 'createOutbox()',
      replace: "((createWorld as { out?: World['out'] }).out ??= createOutbox())",
      breaks: ['SE-20'],
    },
  ]),
  ...mutantsOf('src/handler/finish.ts', [
    {
      id: 'handler/unlogged',
      in: 'finish',
      find: 'if (logs) settings.logger.error(logs)',
      replace: '',
      breaks: ['ERR-002', 'WIR-003', 'WIR-007'],
    },
    {
      id: 'handler/raw-does-not-throw',
      in: 'send',
      find: 'if (settings.raw && throws && !returnsRedirect) throw throws',
      replace: '',
      breaks: ['WIR-064', 'DEC-36b'],
    },
    {
      id: 'handler/flow-cookies-lost',
      in: 'finish',
      find: '[...(out?.cookies ?? []), ...cookies]',
      replace: '[...cookies]',
      breaks: ['WIR-023', 'CFG-008', 'DEC-32b'],
    },
    {
      id: 'session/events-not-awaited',
      in: 'finish',
      find: 'whenReady(fired, () =>',
      replace: 'whenReady(undefined, () =>',
      breaks: ['EVT-001', 'DEC-21c'],
    },
  ]),
  ...mutantsOf('src/handler/fire-events.ts', [
    {
      id: 'handler/event-may-throw',
      in: 'fire',
      find: 'logger.',
      replace: 'throw error\nlogger.',
      breaks: ['FI-07', 'CB-05'],
    },
  ]),
]
