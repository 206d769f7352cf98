import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { breakingStatements } from '@/lib/testing/breaking-statements'

const FOLDER = 'drizzle'

/** Migrations that may break the version before, and why. */
const EXCUSED: Record<string, string> = {
  '0006_plugin_records.sql': 'No version had been released',
  '0010_totals_without_copies.sql': 'Totals that are missing are counted again',
  '0032_plugin-webhooks.sql':
    'Every webhook that the version before makes has an address with its secret, and no plugin',
  '0025_keys-with-roles.sql': 'The version before makes keys with an owner and without roles',
}

test.each(readdirSync(FOLDER).filter((name) => name.endsWith('.sql')))(
  'the version before can go on while %s is applied',
  (name) => {
    const found = breakingStatements(readFileSync(`${FOLDER}/${name}`, 'utf8'))
    if (name in EXCUSED) expect(found).not.toEqual([])
    else expect(found).toEqual([])
  },
)

test.each([
  'alter table "engine"."users" drop column "email"',
  'DROP TABLE engine.users',
  'drop index engine.users_email',
  'alter table engine.users alter column email drop default',
  'alter table engine.users rename column email to mail',
  'alter table engine.users alter column email set data type varchar(9)',
  'alter table engine.users alter email type text',
  'ALTER TABLE engine.users ALTER COLUMN email SET NOT NULL',
  'alter table engine.users add column age integer not null',
  'alter table engine.users add "age" integer not null, add b text',
  'alter table engine.users add a text default 1, add column b int not null',
  'alter table engine.users add constraint adult check (age > 17)',
  'alter table engine.users add unique (email)',
  'create unique index one on engine.users (email)',
  'truncate engine.users',
  'delete from engine.users',
  'do $$ begin drop table engine.users; end $$',
])('a migration may not: %s', (statement) => {
  expect(breakingStatements(`select 1;--> statement-breakpoint\n${statement};`)).toHaveLength(1)
})

test.each([
  'alter table engine.users add column age integer',
  "alter table engine.users add column age integer default 1 not null, add b text not null default 'rename'",
  'alter table engine.users alter column email drop not null',
  'create table engine.pets (id int primary key); create unique index one on engine.pets (id)',
  'create table engine.pets (id int); alter table engine.pets add constraint c check (id > 1)',
  'create index one on engine.users (email)',
  'drop trigger a on engine.users; create trigger a after insert on engine.users execute function b()',
  'create or replace function engine.a() returns void language plpgsql as $$ begin drop table b; end $$',
  "comment on table engine.users is 'drop table users' -- drop table users",
])('a migration may: %s', (statement) => {
  expect(breakingStatements(statement)).toEqual([])
})
