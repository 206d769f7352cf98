import { sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { freshDeps, testsOnPostgres } from '@/lib/testing/deps'

const deps = freshDeps()

test.runIf(testsOnPostgres())(
  'a copy is written and its errors are thrown, whichever bundle made it',
  async () => {
    vi.resetModules()
    const { copyIn } = await import('./copy-in')
    const copy = (text: string) =>
      deps.db.transaction(async (tx) => {
        await tx.execute(sql`create temporary table t (n int primary key) on commit drop`)
        return copyIn(tx, sql`copy t from stdin`, Buffer.from(text))
      })
    expect(await copy('1\n2\n')).toBe(2)
    await expect(copy('1\n1\n')).rejects.toMatchObject({ code: '23505' })
  },
)
