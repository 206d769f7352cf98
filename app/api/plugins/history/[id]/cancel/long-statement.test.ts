import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { historyOf, install, logsOf, upload } from '@/app/api/plugins/testing/plugin-api'
import { one, rows } from '@/lib/db/sql'
import { installLock } from '@/lib/installs/history-entries'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps, testsOnCitus, testsOnPostgres } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { POST } from './route'

const deps = freshDeps()

const version = (version: string) =>
  pluginFiles(
    {
      EngineEntities: {
        files: {
          'Thing.json': {
            name: 'Thing',
            pks: [{ key: 'code', strategy: 'Fixed', type: 'string' }],
            insertDuplicate: 'Upsert',
          },
        },
      },
      Thing: { files: { 'all.json': [{ code: 'a', version }] } },
    },
    { version },
  )

const SLEEP = `create function public.sleep() returns trigger language plpgsql as 'begin perform pg_sleep(600); return new; end'`
const EACH =
  'create trigger sleep before insert or update on %s for each row execute function public.sleep()'

/** Changes of the table sleep where its records are, on the nodes of a cluster too. */
async function makeSlow(): Promise<void> {
  await deps.db.execute(sql.raw(SLEEP))
  if (!testsOnCitus()) {
    await deps.db.execute(sql.raw(EACH.replace('%s', 'entities.thing')))
    return
  }
  await deps.db.execute(sql`select create_distributed_function('public.sleep()')`)
  const made = sql`select success from run_command_on_shards('entities.thing', ${EACH}::text)`
  expect(
    new Set((await rows<{ success: boolean }>(deps.db, made)).map((one) => one.success)),
  ).toEqual(new Set([true]))
}

async function sleeping(): Promise<number> {
  const own = `select count(*) from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`
  const all = testsOnCitus()
    ? sql`select sum(result::int)::int as n from run_command_on_workers(${own}::text)`
    : sql`select n::int from (${sql.raw(own)}) as counted(n)`
  return one(await rows<{ n: number }>(deps.db, all)).n
}

test.runIf(testsOnPostgres())(
  'an install in the middle of a long statement ends where it runs, and its client may have left',
  async () => {
    await install(deps, version('1'))
    await makeSlow()
    const headers = { prefer: 'respond-async' }
    const { body } = await upload(deps, version('2'), { headers })
    const id: number = body.data.history
    await expect.poll(sleeping).toBe(1)
    const path = `/api/plugins/history/${id}/cancel`
    const params = { id: String(id) }
    const cancelled = await call(deps, POST, { method: 'POST', path, params, as: 'ADMIN' })
    expect(cancelled.status).toBe(200)
    await expect.poll(sleeping).toBe(0)
    await expect.poll(() => deps.locks.isHeld(installLock(id))).toBe(false)
    expect(await historyOf(deps, id)).toMatchObject({ cancelledBy: 'test' })
    expect((await logsOf(deps, id)).at(-1)).toMatchObject({ error: 'Cancelled' })
    const found = await rows<{ version: string }>(
      deps.db,
      sql`select "$extra" ->> 'version' as version from entities.thing`,
    )
    expect(found).toEqual([{ version: '1' }])
  },
)
