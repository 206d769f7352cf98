import { sql } from 'drizzle-orm'
import { withOwnBudget } from '@/lib/db/budget'
import { readCluster } from '@/lib/db/cluster'
import { type Db, one, rows } from '@/lib/db/sql'
import type { Readiness } from './contract'

type ClusterState = NonNullable<Readiness['database']['cluster']>

/** Each check asks every worker, and load balancers ask often. */
const STATE_MS = 2_000
const last = new WeakMap<Db, { at: number; state: Promise<ClusterState | null> }>()

/** The workers of a cluster, at most 2 s ago; null when the database is none, or when it can't say in time. */
export function clusterState(db: Db, timeoutMs: number): Promise<ClusterState | null> {
  const known = last.get(db)
  if (known && Date.now() - known.at < STATE_MS) return known.state
  const asked = withOwnBudget({ ms: timeoutMs }, () => ask(db)).then(
    (found) => ({ found }),
    () => null,
  )
  const answer = Promise.race([asked, late(timeoutMs)])
  const state = answer.then((input) => input?.found ?? null)
  last.set(db, { at: Date.now(), state })
  // No answer is not kept: the next check asks again.
  void answer.then((input) => {
    if (!input && last.get(db)?.state === state) last.delete(db)
  })
  return state
}

const late = (timeoutMs: number) =>
  new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), timeoutMs).unref()
  })

/** What was promised to be committed and waits: Citus looks after it once a minute. */
const UNRESOLVED = `select count(*) from pg_prepared_xacts where gid like 'citus\\_%'
  and database = current_database() and prepared < now() - interval '5 s'`

async function ask(db: Db): Promise<ClusterState | null> {
  if (!(await readCluster(db))) return null
  return one(
    await rows<ClusterState>(
      db,
      sql`select count(*)::int as workers, count(*) filter (where not success)::int as unreachable,
            coalesce(sum(case when success then result::int end), 0)::int as unresolved
          from run_command_on_workers(${UNRESOLVED}::text)`,
    ),
  )
}
