import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { testsOnCitus } from '@/lib/testing/deps'
import { run, runJson } from '../testing/cli'
import { runningEngine } from '../testing/engine'

const { deps, env } = runningEngine()

test('tells what was found and what to do, and exits with 0 without a fault', async () => {
  const { code, out } = await run(['doctor'], '/', { env })
  expect(code).toBe(0)
  expect(out).toMatch(/^ok {10}Indexes: All are valid\.$/m)
  expect(out).toMatch(/^warning {5}Mail: .+\n {12}Set SMTP_URL/m)
  expect(out).toMatch(/\d+ checks, \d+ warnings?, 0 faults\n$/)
})

test.skipIf(testsOnCitus())('exits with 1 at a fault, of the server that is named', async () => {
  await deps.db.execute(sql`create table entities.sum (n int unique)`)
  await deps.db.execute(
    sql`update pg_index set indisvalid = false where indexrelid = 'entities.sum_n_key'::regclass`,
  )
  const { ENGINE_URL, ...rest } = env
  const { code, json } = await runJson(['doctor', ENGINE_URL as string], '/', { env: rest })
  expect(code).toBe(1)
  expect(json).toContainEqual(
    expect.objectContaining({
      name: 'indexes',
      status: 'fault',
      finding: expect.stringContaining('sum_n_key'),
    }),
  )
})
