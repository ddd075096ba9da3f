/**
 * Published adapters with stores or emulators that are available from npm and Debian. Each is opened as its documentation
 * shows, and cleared before each rule. `on` names the store.
 */
import 'reflect-metadata'
import { spawn, spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { connectTo, hasRedis, openRedis } from './redis.js'

/** Returns a function that clears tables of PostgreSQL. */
async function openTables(url, tables) {
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {})
  return () => pool.query(tables.map((table) => `delete from "${table}"`).join(';'))
}

async function openTypeorm(createDatabase) {
  const { TypeORMAdapter } = await import('@auth/typeorm-adapter')
  const url = await createDatabase()
  const adapter = TypeORMAdapter({ type: 'postgres', url, synchronize: true })
  await adapter.getUserByEmail('')
  const clear = await openTables(url, ['sessions', 'accounts', 'users', 'verification_tokens'])
  return { on: 'PostgreSQL', adapter, clear }
}

async function openSequelize(createDatabase) {
  const { default: SequelizeAdapter } = await import('@auth/sequelize-adapter')
  const { Sequelize } = await import('sequelize')
  const url = await createDatabase()
  const client = new Sequelize(url, { logging: false })
  const adapter = SequelizeAdapter(client)
  await client.sync()
  const clear = await openTables(url, ['sessions', 'accounts', 'users', 'verification_tokens'])
  return { on: 'PostgreSQL', adapter, clear }
}

async function openMikroOrm(createDatabase) {
  const { MikroOrmAdapter, defaultEntities } = await import('@auth/mikro-orm-adapter')
  const { MikroORM } = await import('@mikro-orm/core')
  const { PostgreSqlDriver } = await import('@mikro-orm/postgresql')
  const url = await createDatabase()
  const options = { driver: PostgreSqlDriver, clientUrl: url, entities: Object.values(defaultEntities) }
  const orm = await MikroORM.init(options)
  await orm.getSchemaGenerator().createSchema()
  await orm.close()
  const clear = await openTables(url, ['session', 'account', 'user', 'verification_token'])
  return { on: 'PostgreSQL', adapter: MikroOrmAdapter(options), clear }
}

const prismaTables = `
  create table "User" (id text primary key, name text, email text unique, "emailVerified" timestamp(3), image text);
  create table "Account" (
    id text primary key, "userId" text not null references "User" (id) on delete cascade, type text not null,
    provider text not null, "providerAccountId" text not null, refresh_token text, access_token text,
    expires_at integer, token_type text, scope text, id_token text, session_state text,
    unique (provider, "providerAccountId")
  );
  create table "Session" (
    id text primary key, "sessionToken" text not null unique,
    "userId" text not null references "User" (id) on delete cascade, expires timestamp(3) not null
  );
  create table "VerificationToken" (
    identifier text not null, token text not null, expires timestamp(3) not null, unique (identifier, token)
  );
  create table "Authenticator" (
    "credentialID" text not null unique, "userId" text not null references "User" (id) on delete cascade,
    "providerAccountId" text not null, "credentialPublicKey" text not null, counter integer not null,
    "credentialDeviceType" text not null, "credentialBackedUp" boolean not null, transports text,
    primary key ("userId", "credentialID")
  );`

/** Prisma 7 needs no engine at run time. Its command requires one to exist, but does not run it, so any program works. */
async function openPrisma(createDatabase) {
  const cwd = fileURLToPath(new URL('.', import.meta.url))
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' }
  const generated = spawnSync(process.execPath, ['node_modules/prisma/build/index.js', 'generate'], {
    cwd,
    env,
  })
  if (generated.status !== 0) throw new Error(`prisma generate failed: ${generated.stderr}`)
  const { PrismaAdapter } = await import('@auth/prisma-adapter')
  const { PrismaClient } = await import('@prisma/client')
  const { PrismaPg } = await import('@prisma/adapter-pg')
  const url = await createDatabase()
  const pool = new pg.Pool({ connectionString: url })
  await pool.query(prismaTables)
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) })
  const clear = () => pool.query('delete from "User"; delete from "VerificationToken"')
  return { on: 'PostgreSQL', adapter: PrismaAdapter(prisma), clear, prisma }
}

async function openDynamo() {
  const { default: dynalite } = await import('dynalite')
  const { DynamoDBAdapter } = await import('@auth/dynamodb-adapter')
  const { DynamoDB } = await import('@aws-sdk/client-dynamodb')
  const { DynamoDBDocument } = await import('@aws-sdk/lib-dynamodb')
  const server = dynalite({ createTableMs: 0 }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const credentials = { accessKeyId: 'none', secretAccessKey: 'none' }
  const db = new DynamoDB({
    endpoint: `http://127.0.0.1:${server.address().port}`,
    region: 'none',
    credentials,
  })
  const client = DynamoDBDocument.from(db, {
    marshallOptions: {
      convertEmptyValues: true,
      removeUndefinedValues: true,
      convertClassInstanceToMap: true,
    },
  })
  const TableName = 'next-auth'
  const keys = (hash, range) => [
    { AttributeName: hash, KeyType: 'HASH' },
    { AttributeName: range, KeyType: 'RANGE' },
  ]
  const names = ['pk', 'sk', 'GSI1PK', 'GSI1SK']
  await db.createTable({
    TableName,
    AttributeDefinitions: names.map((name) => ({ AttributeName: name, AttributeType: 'S' })),
    KeySchema: keys('pk', 'sk'),
    BillingMode: 'PAY_PER_REQUEST',
    GlobalSecondaryIndexes: [
      { IndexName: 'GSI1', KeySchema: keys('GSI1PK', 'GSI1SK'), Projection: { ProjectionType: 'ALL' } },
    ],
  })
  while ((await db.describeTable({ TableName })).Table.TableStatus !== 'ACTIVE') continue
  const clear = async () => {
    for (const { pk, sk } of (await client.scan({ TableName })).Items ?? [])
      await client.delete({ TableName, Key: { pk, sk } })
  }
  return { on: 'dynalite', adapter: DynamoDBAdapter(client), clear }
}

async function openUpstash() {
  const { UpstashRedisAdapter } = await import('@auth/upstash-redis-adapter')
  const { Redis } = await import('@upstash/redis')
  const client = new Redis({
    url: await openRedis(await findFreePort()),
    token: 'none',
    enableTelemetry: false,
  })
  return {
    on: 'Redis 7 behind a REST front of ours',
    adapter: UpstashRedisAdapter(client),
    clear: () => client.flushall(),
  }
}

async function openAzure() {
  const { TableStorageAdapter } = await import('@auth/azure-tables-adapter')
  const { AzureNamedKeyCredential, TableClient } = await import('@azure/data-tables')
  const port = await findFreePort()
  const program = fileURLToPath(import.meta.resolve('azurite/dist/src/table/main.js'))
  const args = ['--tablePort', String(port), '--inMemoryPersistence', '--silent', '--skipApiVersionCheck']
  const server = spawn(process.execPath, [program, ...args, '--disableTelemetry'], { stdio: 'ignore' })
  process.once('exit', () => server.kill('SIGKILL'))
  ;(await connectTo(port)).destroy()
  // The built-in account of Azurite.
  const account = 'devstoreaccount1'
  const key = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='
  const client = new TableClient(
    `http://127.0.0.1:${port}/${account}`,
    'auth',
    new AzureNamedKeyCredential(account, key),
    { allowInsecureConnection: true },
  )
  await client.createTable()
  const clear = async () => {
    for await (const { partitionKey, rowKey } of client.listEntities())
      await client.deleteEntity(partitionKey, rowKey)
  }
  return { on: 'Azurite', adapter: TableStorageAdapter(client), clear }
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** Stores by package. Each function takes one that creates a PostgreSQL database and returns its URL. */
export const stores = {
  '@auth/azure-tables-adapter': openAzure,
  '@auth/dynamodb-adapter': openDynamo,
  '@auth/mikro-orm-adapter': openMikroOrm,
  '@auth/prisma-adapter': openPrisma,
  '@auth/sequelize-adapter': openSequelize,
  '@auth/typeorm-adapter': openTypeorm,
  '@auth/upstash-redis-adapter': openUpstash,
}

/** Missing programs that npm does not provide, by the package that needs them. */
export const missing = hasRedis() ? {} : { '@auth/upstash-redis-adapter': 'redis-server' }
