/**
 * Apache with mod_auth_openidc, for the oracle to test.
 *
 *     node app.js <port> <first port of the oracle> [<fault>...]
 *
 * On Debian: apache2-bin libapache2-mod-auth-openidc. It prints its address, and logs to the file in the variable LOG.
 * Each fault is a bug that the oracle must find.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const known = ['http-only', 'redirect', 'pkce', 'slack']
const [wanted, oracle, ...faults] = process.argv.slice(2)
const unknown = faults.find((fault) => !known.includes(fault))
if (unknown !== undefined) throw new Error(`Expected faults out of ${known.join(', ')}, got ${unknown}`)
const has = (fault) => faults.includes(fault)

const folder = mkdtempSync(join(tmpdir(), 'mod-auth-openidc-'))
// Apache reads its files as another user.
chmodSync(folder, 0o755)
const port = Number(wanted) || (await findPort())
const origin = `http://localhost:${port}`
const issuer = `http://127.0.0.1:${oracle}`
// Apache resolves a relative path from its own folder.
const log = resolve(process.env.LOG ?? '/dev/null')
const load = (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`

writeFileSync(join(folder, 'me.shtml'), 'Signed in as <!--#echo var="OIDC_CLAIM_email" -->\n')
writeFileSync(join(folder, 'index.html'), 'Welcome.\n')
writeFileSync(
  join(folder, 'apache.conf'),
  `
ServerRoot ${folder}
ServerName localhost
Listen 127.0.0.1:${port}
PidFile ${folder}/apache.pid
DefaultRuntimeDir ${folder}
${['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'dir', 'headers', 'include', 'mime', 'rewrite', 'auth_openidc'].map(load).join('\n')}
User www-data
Group www-data
ErrorLog ${log}
LogLevel warn
SSIUndefinedEcho "<!-- nobody -->"
TypesConfig /dev/null
DocumentRoot ${folder}
OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
OIDCClientID client-at-alpha
OIDCClientSecret secret-at-alpha-0123456789
OIDCRedirectURI ${origin}/callback
OIDCCryptoPassphrase 0123456789abcdef0123456789abcdef
OIDCScope "openid email profile"
OIDCRemoteUserClaim sub
OIDCCookieSameSite On
${has('pkce') ? '' : 'OIDCPKCEMethod S256'}
${has('http-only') ? 'OIDCCookieHTTPOnly Off' : ''}
${has('redirect') ? 'OIDCRedirectURLsAllowed .*' : ''}
${has('slack') ? 'OIDCIDTokenIatSlack 10000000' : ''}
RewriteEngine On
RewriteCond %{QUERY_STRING} ^next=(.*)$
RewriteRule ^/login$ ${origin}/callback?iss=${encodeURIComponent(issuer).replaceAll('%', String.raw`\%`)}&target_link_uri=%1 [NE,R]
<Directory ${folder}>
  Require all granted
  AddOutputFilter INCLUDES .shtml
  Options +Includes
</Directory>
<Location />
  AuthType openid-connect
  Require valid-user
</Location>
<Location /login>
  Require all granted
</Location>
<Location /me.shtml>
  OIDCUnAuthAction pass
  Header set Cache-Control no-store
</Location>
`,
)

const apache = spawn('/usr/sbin/apache2', ['-D', 'FOREGROUND', '-f', join(folder, 'apache.conf')], {
  stdio: ['ignore', 'inherit', 'inherit'],
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => apache.kill('SIGTERM'))
apache.once('exit', (code) => {
  rmSync(folder, { recursive: true, force: true })
  process.exitCode = code ?? 0
})
while (apache.exitCode === null && !(await responds())) await setTimeout(100)
if (apache.exitCode === null) console.log(origin)

async function findPort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: found } = server.address()
  server.close()
  await once(server, 'close')
  return found
}

function responds() {
  return new Promise((settle) => {
    const socket = connect(port, '127.0.0.1', () => settle(true))
    socket.once('connect', () => socket.end())
    socket.once('error', () => settle(false))
  })
}
