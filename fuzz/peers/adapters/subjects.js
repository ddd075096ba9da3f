/**
 * The published adapters, each with the tables that its own documentation shows, as subjects of the adapter contract.
 * PostgreSQL for those that are documented on it, SQLite and memory for the others.
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

const authenticators = [
  'createAuthenticator',
  'getAuthenticator',
  'listAuthenticatorsByUserId',
  'updateAuthenticatorCounter',
]

/**
 * `@auth/pg-adapter` on a database, its tables made first when they are to be its own.
 * @param {string} url of a PostgreSQL database
 * @param {boolean} makesTables
 */
export async function openPgAdapter(url, makesTables) {
  const pool = new pg.Pool({ connectionString: url })
  if (makesTables) await pool.query(pgTables)
  return { adapter: PostgresAdapter(pool), close: () => pool.end() }
}

/** @param {string} url of an empty PostgreSQL database */
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
      without: ['getAccount', 'updateAccount', ...authenticators],
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
      without: ['getAccount', 'updateAccount', ...authenticators],
      async open() {
        await pool.query('delete from "User"; delete from "VerificationToken"')
        return { adapter: KyselyAdapter(kysely), close }
      },
    },
    {
      name: '@auth/drizzle-adapter',
      on: 'SQLite',
      without: ['updateAccount'],
      open() {
        const database = new Database(':memory:')
        database.exec(drizzleTables)
        return { adapter: DrizzleAdapter(drizzle(database)), close: () => database.close() }
      },
    },
    {
      name: '@auth/unstorage-adapter',
      on: 'memory',
      without: ['updateAccount'],
      open: () => ({ adapter: UnstorageAdapter(createStorage()), close }),
    },
  ]
  return { subjects, close: () => kysely.destroy() }
}
