create table authmachine_rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
