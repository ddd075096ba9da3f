/**
 * The published adapters as subjects of the adapter contract, each with the tables from its documentation. They run on
 * PostgreSQL if their documentation uses it, otherwise on SQLite or in memory.
 */
import { DrizzleAdapter } from '@auth/drizzle-adapter'
import { KyselyAdapter } from '@auth/kysely-adapter'
import PostgresAdapter from '@auth/pg-adapter'
import { UnstorageAdapter } from '@auth/unstorage-adapter'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { createStorage } from 'unstorage'
import { pgTables } from './pg-tables.js'

const kyselyTables = `
  create table "User" (
    id uuid primary key default gen_random_uuid(), name text, email text unique not null,
    "emailVerified" timestamptz, image text
  );
  create table "Account" (
    id uuid primary key default gen_random_uuid(),
    "userId" uuid not null references "User" (id) on delete cascade, type text not null, provider text not null,
    "providerAccountId" text not null, refresh_token text, access_token text, expires_at bigint, token_type text,
    scope text, id_token text, session_state text
  );
  create table "Session" (
    id uuid primary key default gen_random_uuid(),
    "userId" uuid not null references "User" (id) on delete cascade, "sessionToken" text not null unique,
    expires timestamptz not null
  );
  create table "VerificationToken" (identifier text not null, token text not null unique, expires timestamptz not null);
  create index "Account_userId_index" on "Account" ("userId");
  create index "Session_userId_index" on "Session" ("userId");`

const drizzleTables = `
  create table user (id text primary key, name text, email text unique, emailVerified integer, image text);
  create table account (
    userId text not null references user (id) on delete cascade, type text not null, provider text not null,
    providerAccountId text not null, refresh_token text, access_token text, expires_at integer, token_type text,
    scope text, id_token text, session_state text, primary key (provider, providerAccountId)
  );
  create table session (
    sessionToken text primary key, userId text not null references user (id) on delete cascade,
    expires integer not null
  );
  create table verificationToken (
    identifier text not null, token text not null, expires integer not null, primary key (identifier, token)
  );
  create table authenticator (
    credentialID text not null unique, userId text not null references user (id) on delete cascade,
    providerAccountId text not null, credentialPublicKey text not null, counter integer not null,
    credentialDeviceType text not null, credentialBackedUp integer not null, transports text,
    primary key (userId, credentialID)
  );`

const optional = [
  'updateAccount',
  'listAccountsByUserId',
  'listSessionsByUserId',
  'deleteSessionsByUserId',
  'describeSession',
  'deleteAuthenticator',
  'nameAuthenticator',
  'getPassword',
  'setPassword',
  'deletePassword',
  'getFactor',
  'setFactor',
  'deleteFactor',
  'getRecord',
  'setRecord',
  'deleteRecord',
  'getKeyedRecord',
  'setKeyedRecord',
  'deleteKeyedRecord',
]
const authenticators = [
  'createAuthenticator',
  'getAuthenticator',
  'listAuthenticatorsByUserId',
  'updateAuthenticatorCounter',
]

/**
 * Opens `@auth/pg-adapter` on a database.
 * @param {string} url the URL of a PostgreSQL database
 * @param {boolean} createsTables whether to create its tables
 */
export async function openPgAdapter(url, createsTables) {
  const pool = new pg.Pool({ connectionString: url })
  if (createsTables) await pool.query(pgTables)
  return { adapter: PostgresAdapter(pool), close: () => pool.end() }
}

/** @param {string} url the URL of an empty PostgreSQL database */
export async function openSubjects(url) {
  const pool = new pg.Pool({ connectionString: url })
  await pool.query(pgTables)
  await pool.query(kyselyTables)
  const kysely = new Kysely({ dialect: new PostgresDialect({ pool }) })
  const close = () => {}

  const subjects = [
    {
      name: '@auth/pg-adapter',
      on: 'PostgreSQL',
      without: ['getAccount', ...optional, ...authenticators],
      async open() {
        await pool.query(
          'delete from users; delete from accounts; delete from sessions; delete from verification_token',
        )
        return { adapter: PostgresAdapter(pool), close }
      },
    },
    {
      name: '@auth/kysely-adapter',
      on: 'PostgreSQL',
      without: ['getAccount', ...optional, ...authenticators],
      async open() {
        await pool.query('delete from "User"; delete from "VerificationToken"')
        return { adapter: KyselyAdapter(kysely), close }
      },
    },
    {
      name: '@auth/drizzle-adapter',
      on: 'SQLite',
      without: optional,
      open() {
        const database = new Database(':memory:')
        database.exec(drizzleTables)
        return { adapter: DrizzleAdapter(drizzle(database)), close: () => database.close() }
      },
    },
    {
      name: '@auth/unstorage-adapter',
      on: 'memory',
      without: optional,
      open: () => ({ adapter: UnstorageAdapter(createStorage()), close }),
    },
  ]
  return { subjects, close: () => kysely.destroy() }
}
