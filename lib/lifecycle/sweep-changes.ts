import { sql } from 'drizzle-orm'
import { installs, pluginChanges, pluginDefinitionChanges } from '@/lib/db/schema'
import { one, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'

/**
 * Forgets what installs changed that can no longer be rolled back: those before the last
 * PLUGIN_UNDO_INSTALLS of their plugin, and those older than PLUGIN_UNDO_DAYS. Run
 * periodically, on any instance. Returns the number of installs.
 */
export async function sweepChanges({
  db,
  settings,
}: Pick<Deps, 'db' | 'settings'>): Promise<number> {
  const { PLUGIN_UNDO_INSTALLS: most, PLUGIN_UNDO_DAYS: days } = settings
  const swept = sql`with old as (
      select id from (
        select i.id, i.started_at, row_number() over (partition by i.plugin_id order by i.id desc) as nth
        from ${installs} as i where exists (
          select from ${pluginDefinitionChanges} as d where d.install_id = i.id)
      ) as kept where nth > ${most}::int or started_at < now() - make_interval(days => ${days}::int)
    ), records as (delete from ${pluginChanges} where install_id in (select id from old)),
    definitions as (delete from ${pluginDefinitionChanges} where install_id in (select id from old))
    select count(*)::int as total from old`
  return one(await rows<{ total: number }>(db, swept)).total
}
