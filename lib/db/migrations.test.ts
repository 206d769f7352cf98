import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { testDeps } from '@/lib/testing/deps'
import { applyMigrations, countLaterMigrations } from './migrations'

test('are applied once', async () => {
  const { db } = await testDeps()
  await applyMigrations(db)
  await expect(db.execute(sql`select count(*) from engine.users`)).resolves.toBeTruthy()
})

test('of later versions are left alone, and counted', async () => {
  const { db } = await testDeps()
  expect(await countLaterMigrations(db)).toBe(0)
  const [hash, when] = ['of a later version', Date.now() + 1e9]
  await db.execute(
    sql`insert into engine_migrations.__drizzle_migrations (hash, created_at) values (${hash}, ${when}), (${hash}, ${when})`,
  )
  await applyMigrations(db)
  expect(await countLaterMigrations(db)).toBe(2)
  await db.execute(sql`delete from engine_migrations.__drizzle_migrations where hash = ${hash}`)
})

test('refuse a schema of the same name that has another origin, and say what to do', async () => {
  const { db } = await testDeps()
  await db.execute(sql`alter table engine_migrations.__drizzle_migrations rename to elsewhere`)
  await expect(applyMigrations(db)).rejects.toThrow(/schema "engine".*use an empty database/)
  await db.execute(sql`drop table engine_migrations.__drizzle_migrations`)
  await db.execute(sql`alter table engine_migrations.elsewhere rename to __drizzle_migrations`)
})
