import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { withBudget, withOwnBudget } from '@/lib/db/budget'
import { refusalIn } from '@/lib/db/errors'
import { findEntity } from '@/lib/registry/registry'
import { targetOf } from '@/lib/registry/target'
import { freshDeps, testsOnPostgres } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { matchRecords } from './match-records'

const deps = freshDeps()

/** Longer than a search may keep others waiting. */
const SLOW = sql`do $$ declare ends timestamptz := clock_timestamp() + interval '1500 ms';
  begin while clock_timestamp() < ends loop end loop; end $$`

test.skipIf(testsOnPostgres())(
  'on the embedded database, a search gives way to other requests, not to jobs, and a change comes to its end',
  async () => {
    await installTestEntity(deps, { entity: { name: 'Thing' } }, [])
    const target = targetOf(await findEntity(deps, 'Thing'))
    const run = async (changes: boolean, request?: object) => {
      const how = { target, search: { where: [] }, actor: null, changes }
      const work = async () => {
        const running = withBudget({}, () => deps.db.execute(SLOW))
        const other = withOwnBudget({ request }, () => deps.db.execute(sql`select 1`))
        await Promise.all([running, other])
        return 'done'
      }
      return matchRecords(deps, how, work).catch((error) => refusalIn(error)?.message)
    }
    expect(await run(false, {})).toContain('The search took too long and was stopped')
    expect(await run(false)).toBe('done')
    expect(await run(true, {})).toBe('done')
  },
)
