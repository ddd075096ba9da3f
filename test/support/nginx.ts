import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from './free-port.ts'

/** The configuration of the guide on proxies. */
const site = new URL('../../docs/examples/proxies/site.nginx', import.meta.url)

/**
 * Writes the guide’s configuration for a port and the servers behind it.
 *
 * @param host the host that nginx passes on, as nginx writes it
 * @returns the arguments of `nginx`
 */
export async function configureNginx(
  folder: string,
  port: number,
  targets: readonly number[],
  host = '$host',
): Promise<readonly string[]> {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const location = (await readFile(site, 'utf8'))
    .replace('127.0.0.1:3000', 'servers')
    .replaceAll('$host', host)
  const servers = targets.map((target) => `server 127.0.0.1:${target};`).join(' ')
  const file = join(folder, 'nginx.conf')
  await writeFile(
    file,
    `${process.getuid?.() === 0 ? 'user root; ' : ''}daemon off; pid ${folder}/pid; error_log ${folder}/errors; events {} http { access_log off;
    ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
    upstream servers { ${servers} } server { listen 127.0.0.1:${port}; ${location} } }`,
  )
  return ['-p', folder, '-e', join(folder, 'errors'), '-c', file]
}

/** Whether tests cannot start nginx. In CI, they then fail instead of skipping. */
export const isNginxMissing = () => !process.env['CI'] && spawnSync('nginx', ['-v']).status !== 0

/** Starts nginx before servers that may still be starting. It asks them in turn. */
export async function startNginx(targets: readonly number[]) {
  const folder = await mkdtemp(join(tmpdir(), 'authmachine-nginx-'))
  const port = await findFreePort()
  // The guide's site has the default port, which browsers leave out. This site has another port.
  const args = await configureNginx(folder, port, targets, '$host:$server_port')
  const proxy = spawn('nginx', [...args], { stdio: 'ignore' })
  return {
    port,
    async stop() {
      await end(proxy)
      await rm(folder, { recursive: true })
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill()
  await once(child, 'exit')
}
