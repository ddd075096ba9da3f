/**
 * A Redis server on a free port, with the REST interface that `@upstash/redis` uses: a command is a JSON array, a pipeline
 * an array of commands, and replies are base64 if the client requests it.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** Tells whether this machine has a Redis server. */
export function hasRedis() {
  return spawnSync('redis-server', ['--version']).status === 0
}

/** @param {number} port a free port */
export async function openRedis(port) {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const server = spawn('redis-server', args, { stdio: 'ignore' })
  process.once('exit', () => server.kill('SIGKILL'))
  const send = openCommands(await connectTo(port))
  const http = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString())
    const isBase64 = request.headers['upstash-encoding'] === 'base64'
    const run = async (command) => {
      const reply = await send(command)
      return reply instanceof Error ? { error: reply.message } : { result: encode(reply, isBase64) }
    }
    const isMany = /pipeline|multi-exec/.test(request.url ?? '')
    const result = isMany ? await Promise.all(body.map(run)) : await run(body)
    response.writeHead('error' in result ? 400 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(result))
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  return `http://127.0.0.1:${http.address().port}`
}

/** Connects as soon as a server listens on the port. */
export async function connectTo(port) {
  for (let attempt = 0; attempt < 200; attempt++) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    if (isOpen) return socket
    await wait(50)
  }
  throw new Error(`No server listens on port ${port}`)
}

function openCommands(socket) {
  const waiting = []
  let received = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    for (let found = parse(received, 0); found; found = parse(received, 0)) {
      received = received.subarray(found.end)
      waiting.shift()?.(found.value)
    }
  })
  return (command) =>
    new Promise((resolve) => {
      waiting.push(resolve)
      const parts = command.map((part) => Buffer.from(String(part)))
      const lines = parts.flatMap((part) => [Buffer.from(`$${part.length}\r\n`), part, Buffer.from('\r\n')])
      socket.write(Buffer.concat([Buffer.from(`*${parts.length}\r\n`), ...lines]))
    })
}

function encode(reply, isBase64) {
  if (Array.isArray(reply)) return reply.map((each) => encode(each, isBase64))
  return isBase64 && typeof reply === 'string' && reply !== 'OK'
    ? Buffer.from(reply).toString('base64')
    : reply
}

/** Parses one reply of the Redis protocol, version 2; returns undefined if it is incomplete. */
function parse(bytes, at) {
  const lineEnd = bytes.indexOf('\r\n', at)
  if (lineEnd < 0) return undefined
  const line = bytes.toString('utf8', at + 1, lineEnd)
  const next = lineEnd + 2
  const kind = String.fromCharCode(bytes[at])
  if (kind === '+') return { value: line, end: next }
  if (kind === '-') return { value: new Error(line), end: next }
  if (kind === ':') return { value: Number(line), end: next }
  const length = Number(line)
  if (length < 0) return { value: null, end: next }
  if (kind === '$') {
    if (bytes.length < next + length + 2) return undefined
    return { value: bytes.toString('utf8', next, next + length), end: next + length + 2 }
  }
  const value = []
  let end = next
  for (let n = 0; n < length; n++) {
    const each = parse(bytes, end)
    if (!each) return undefined
    value.push(each.value)
    end = each.end
  }
  return { value, end }
}
