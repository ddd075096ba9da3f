import { setTimeout } from 'node:timers/promises'
import { createClient } from 'redis'
import { findFreePort } from './free-port.ts'
import { type RedisServer, startRedis } from './redis.ts'

/** A Redis Cluster of this process. */
export interface RedisCluster {
  /** The ports of its primaries on the loopback interface. */
  readonly ports: readonly number[]
  /** Removes all keys. */
  readonly clear: () => Promise<void>
  /** Returns the number of keys on each primary. */
  readonly countKeys: () => Promise<readonly number[]>
  /** Close connections first. */
  readonly stop: () => Promise<void>
}

/** The first and the last slot of each primary. */
const slots = [
  ['0', '5460'],
  ['5461', '10922'],
  ['10923', '16383'],
] as const

/** Starts three primaries without replicas, and waits until each of them knows the others. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const servers = await Promise.all(slots.map(startNode))
  const clients = await Promise.all(servers.map(({ path }) => connect(path)))
  for (const [n, range] of slots.entries())
    await clients[n]?.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', ...range])
  for (const { port, busPort } of servers)
    await clients[0]?.sendCommand(['CLUSTER', 'MEET', '127.0.0.1', String(port), String(busPort)])
  const isComplete = async () => {
    const infos = await Promise.all(clients.map((client) => client.sendCommand<string>(['CLUSTER', 'INFO'])))
    return infos.every((info) => /cluster_state:ok[^]*cluster_known_nodes:3/.test(info))
  }
  while (!(await isComplete())) await setTimeout(50)
  return {
    ports: servers.map(({ port }) => port),
    async clear() {
      await Promise.all(clients.map((client) => client.flushAll()))
    },
    countKeys: () => Promise.all(clients.map((client) => client.dbSize())),
    async stop() {
      for (const client of clients) client.destroy()
      await Promise.all(servers.map((server) => server.stop()))
    },
  }
}

async function startNode(): Promise<RedisServer & { readonly busPort: number }> {
  const busPort = await findFreePort()
  const server = await startRedis(['--cluster-enabled', 'yes', '--cluster-port', String(busPort)])
  return { ...server, busPort }
}

async function connect(path: string) {
  const client = createClient({ socket: { path, tls: false } })
  client.on('error', () => {})
  await client.connect()
  return client
}
