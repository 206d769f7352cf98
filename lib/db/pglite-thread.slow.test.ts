import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { isUnavailable } from './errors'
import { count, db, failure, server } from './testing/pglite'

describe('a thread that ends', () => {
  test('takes with it what runs, and the next statement finds all that was committed', async () => {
    await db.execute(sql`create table public.kept as select generate_series(1, 1000) as n`)
    for (let round = 0; round < 3; round++) {
      // Reads would be sent once more.
      const running = failure(db.execute(sql`do 'begin loop end loop; end'`))
      const transaction = failure(
        db.transaction(async (tx) => {
          await tx.execute(sql`insert into public.kept values (0)`)
          await server.endThread()
          await tx.execute(sql`insert into public.kept values (0)`)
        }),
      )
      setTimeout(() => server.endThread(), 100)
      expect(isUnavailable(await running)).toBe(true)
      expect(isUnavailable(await transaction)).toBe(true)
      expect(await count('kept')).toBe(1000)
    }
  })
})
