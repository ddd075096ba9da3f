create table authmachine_revocations (
  subject varchar(64) not null,
  value bigint not null,
  expires bigint not null
);
create index authmachine_revocations_subject on authmachine_revocations (subject);
create index authmachine_revocations_expires on authmachine_revocations (expires);
