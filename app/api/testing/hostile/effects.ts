import { sql } from 'drizzle-orm'
import { type Db, one, rows } from '@/lib/db/sql'
import { databaseState } from '@/lib/testing/database-state'

/** Says which tables have changed. Reads them only where a transaction has written since. */
export class Effects {
  private written = ''
  private state: Record<string, string[]> = {}

  constructor(private readonly db: Db) {}

  /** Names of tables that have changed since the last call. */
  async changed(): Promise<string[]> {
    // Grows with every transaction that writes, also with one that is taken back.
    const query = sql`select pg_snapshot_xmax(pg_current_snapshot())::text as id`
    const { id } = one(await rows<{ id: string }>(this.db, query))
    if (id === this.written) return []
    const [before, after] = [this.state, await databaseState(this.db)]
    this.written = id
    this.state = after
    const names = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...names].filter((name) => before[name]?.join('\n') !== after[name]?.join('\n'))
  }
}
