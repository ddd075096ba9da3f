begin;
alter table users alter column id drop default, alter column id type text;
alter table users alter column id set default gen_random_uuid(), add unique (email);
drop sequence users_id_seq;
alter table accounts
  alter column "userId" type text,
  add column authorization_details text,
  add foreign key ("userId") references users (id) on delete cascade,
  add unique (provider, "providerAccountId");
create index accounts_user on accounts ("userId");
alter table sessions
  alter column "userId" type text,
  add foreign key ("userId") references users (id) on delete cascade,
  add unique ("sessionToken");
create index sessions_user on sessions ("userId");
create index sessions_expires on sessions (expires);
create index verification_token_expires on verification_token (expires);
create table authenticators (
  "credentialID" text primary key,
  "userId" text not null references users (id) on delete cascade,
  "providerAccountId" text not null,
  "credentialPublicKey" text not null,
  counter bigint not null,
  "credentialDeviceType" text not null,
  "credentialBackedUp" boolean not null,
  transports text
);
create index authenticators_user on authenticators ("userId");
create table passwords (
  "userId" text primary key references users (id) on delete cascade,
  hash text not null
);
create table second_factors (
  "userId" text primary key references users (id) on delete cascade,
  factor text not null
);
alter table sessions add column description text;
alter table authenticators add column name text;
create table user_records (
  "userId" text not null references users (id) on delete cascade,
  name text not null,
  value text not null,
  primary key ("userId", name)
);
create table keyed_records (
  key text primary key,
  value text not null,
  expires timestamptz not null
);
create index keyed_records_expires on keyed_records (expires);
commit;
