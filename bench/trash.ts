/**
 * A deletion of a million records that is undone, on PostgreSQL:
 * `BENCH_DATABASE_URL=postgres://… npx tsx bench/trash.ts`.
 */
import { sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { deleteBatch } from '@/lib/records/delete-batch'
import { restoreBatch } from '@/lib/trash/restore-batch'
import { measure, withMillion } from './million-records'

const actor: Actor = {
  type: 'api_key',
  id: crypto.randomUUID(),
  name: 'bench',
  userId: crypto.randomUUID(),
  roles: ['ADMIN'],
  scopes: null,
  address: null,
}
const all = { entityName: 'Person', conditions: [], conditionsName: 'query' as const }
const request = { dryRun: false, actor, requestId: 'bench' }

await withMillion(async (deps) => {
  const timed = async (name: string, work: () => Promise<void>) => {
    const { seconds, grown } = await measure(work)
    console.log(`${name.padEnd(28)} ${seconds.toFixed(1)} s, grew by ${grown.toFixed(0)} MiB`)
  }
  let batchId = ''
  const remove = async () => {
    batchId = (await deleteBatch(deps, { ...all, ...request, undo: 7 })).batchId ?? ''
  }
  const restore = async () => {
    const { restored, conflictCount } = await restoreBatch(deps, {
      batchId,
      actor,
      requestId: 'bench',
    })
    console.log(`restored ${restored}, conflicts ${conflictCount}`)
  }
  await timed('delete with undo', remove)
  await timed('restore', restore)
  await timed('delete with undo', remove)
  await deps.db.execute(sql`insert into entities.person (id, name) values (7, 'in the way')`)
  await timed('restore but one', restore)
})
