import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { testDeps } from '@/lib/testing/deps'
import { applyMigrations } from './migrations'

test('are applied once', async () => {
  const { db } = await testDeps()
  await applyMigrations(db)
  await expect(db.execute(sql`select count(*) from engine.users`)).resolves.toBeTruthy()
})

test('refuse a schema of the same name that has another origin, and say what to do', async () => {
  const { db } = await testDeps()
  await db.execute(sql`alter table engine_migrations.__drizzle_migrations rename to elsewhere`)
  await expect(applyMigrations(db)).rejects.toThrow(/schema "engine".*use an empty database/)
  await db.execute(sql`drop table engine_migrations.__drizzle_migrations`)
  await db.execute(sql`alter table engine_migrations.elsewhere rename to __drizzle_migrations`)
})
