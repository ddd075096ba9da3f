create table passwords (
  "userId" integer primary key references users (id) on delete cascade,
  hash text not null
);
