import type { Mutant } from '../mutant.ts'

const routes = 'src/client/routes.ts'
const watch = 'src/client/watch-session.ts'
const required = 'src/require-session.ts'
const bridge = 'src/node/bridge.ts'

/** Faults of the client, of protected routes, and of what stands between Node and the handler. */
export const mutants: readonly Mutant[] = [
  {
    id: 'embedding/client-without-csrf',
    file: routes,
    find: "body.set('csrfToken', (await csrfToken()) ?? '')",
    replace: "body.set('csrfToken', '')",
    kills: ['EMB-001'],
  },
  {
    id: 'embedding/client-signs-in-everywhere-alike',
    file: 'src/client/sign-in.ts',
    find: "type === 'credentials' ? 'callback' : 'signin'",
    replace: "'signin'",
    kills: ['EMB-001'],
  },
  {
    id: 'embedding/client-forgets-the-code',
    file: 'src/client/outcome.ts',
    find: '...(code !== null && { code })',
    replace: '',
    kills: ['EMB-001'],
  },
  {
    id: 'embedding/client-base-path-fixed',
    file: 'src/client/create-auth-client.ts',
    find: 'openRoutes(basePath)',
    replace: "openRoutes(basePath && '/auth')",
    kills: ['EMB-002'],
  },
  {
    id: 'embedding/client-keeps-the-tab-to-itself',
    file: watch,
    find: "voice.postMessage('')",
    replace: '',
    kills: ['EMB-003'],
  },
  {
    id: 'embedding/client-does-not-look-again',
    file: watch,
    find: "document.addEventListener('visibilitychange', look)",
    replace: '',
    kills: ['EMB-003'],
  },
  {
    id: 'embedding/client-reports-renewals',
    file: watch,
    find: "{ ...session, expires: '' }",
    replace: '{ ...session }',
    kills: ['EMB-003'],
  },
  {
    id: 'embedding/client-imports-the-library',
    file: 'src/client/outcome.ts',
    find: '/** How a sign-in',
    replace: "import { AuthError } from '../errors.ts'\nglobalThis.AuthError = AuthError\n/** How a sign-in",
    kills: ['EMB-004'],
  },
  {
    id: 'embedding/client-posts-no-ceremony',
    file: 'src/client/passkey.ts',
    find: '{ ...fields, action: ceremony.action, data }',
    replace: '{ ...fields, data }',
    kills: ['EMB-005'],
  },
  {
    id: 'embedding/anybody-is-somebody',
    file: required,
    find: 'found.session?.user !== undefined && found.session.user !== null',
    replace: 'found.session !== null',
    kills: ['EMB-006'],
  },
  {
    id: 'embedding/wildcards-are-pages',
    file: required,
    find: '(text\\/html|application\\/xhtml\\+xml)',
    replace: '(text\\/html|application\\/xhtml\\+xml|\\*\\/\\*)',
    kills: ['EMB-006'],
  },
  {
    id: 'embedding/comes-back-anywhere',
    file: required,
    find: "pathname.replace(/^\\/{2,}/, '/')",
    replace: 'pathname',
    kills: ['EMB-007'],
  },
  {
    id: 'embedding/comes-back-to-the-root',
    file: required,
    find: "query.set('callbackUrl', pathOf(request))",
    replace: "query.set('callbackUrl', '/')",
    kills: ['EMB-007'],
  },
  {
    id: 'embedding/node-trusts-everybody',
    file: bridge,
    find: 'return createRequest(head, outgoing, options)',
    replace: 'return createRequest(head, outgoing, { ...options, trustProxy: true })',
    kills: ['EMB-008'],
  },
  {
    id: 'embedding/node-takes-any-path',
    file: bridge,
    find: "if (!path.startsWith('/')) return undefined\n",
    replace: '',
    kills: ['EMB-008'],
  },
  {
    id: 'embedding/node-reads-twice',
    file: bridge,
    find: 'if (!incoming.readableEnded)',
    replace: 'if (incoming.headers)',
    kills: ['EMB-009'],
  },
  {
    id: 'embedding/node-takes-forms-for-json',
    file: bridge,
    find: "if (!headers['content-type']?.includes('urlencoded'))",
    replace: 'if (headers)',
    kills: ['EMB-009'],
  },
  {
    id: 'embedding/node-loses-what-it-is-mounted-at',
    file: bridge,
    find: 'originalUrl ?? url',
    replace: 'url ?? originalUrl',
    kills: ['EMB-010'],
  },
  {
    id: 'embedding/node-replaces-cookies',
    file: bridge,
    find: "  addCookies(outgoing, response.headers.getSetCookie())\n  const headers = new Headers(response.headers)\n  headers.delete('set-cookie')\n",
    replace: '  const headers = new Headers(response.headers)\n',
    kills: ['EMB-011'],
  },
  {
    id: 'embedding/node-keeps-one-cookie',
    file: bridge,
    find: 'outgoing.appendHeader',
    replace: 'outgoing.setHeader',
    kills: ['EMB-011'],
  },
  {
    id: 'embedding/node-keeps-an-extension-to-itself',
    file: 'src/node/node-auth.ts',
    find: '      addCookies(outgoing, cookies)\n',
    replace: '',
    kills: ['EMB-012'],
  },
]
