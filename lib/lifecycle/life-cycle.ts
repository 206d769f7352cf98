import { eq, sql } from 'drizzle-orm'
import type { Layer, Points } from '@/lib/around'
import { installs, pluginChanges, pluginDefinitionChanges, pluginRecords } from '@/lib/db/schema'
import { one, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { isEdited } from '@/lib/installs/is-edited'
import type { TouchedRecords } from '@/lib/installs/points'
import { NotInParts } from '@/lib/installs/write-records'
import { daysOf, type Kept } from '@/lib/retention/kept'
import { keySql, originOf } from './base/record-sql'
import { recordConverted } from './changes/record-converted'
import { readDefinition, recordDefinition, recordFollowed } from './changes/record-definitions'
import { recordGenerated, recordGeneratedIn } from './changes/record-generated'
import { keepAuthored } from './local/keep-authored'
import { localDefinitions } from './local/local-definitions'
import { mergeFiles } from './local/merge-files'
import { copiedRecorder } from './merge/copied-records'
import { mergingWriter } from './merge/merging-writer'
import { followedFile } from './merge/moved-files'
import { gaveAny, gaveRecords, recallKeys } from './merge/recall-keys'
import { unlistedKeys } from './merge/removed-records'
import { divideRows } from './merge/unchanged-rows'
import { ownNumbers, requireSameNumbers } from './promoted/own-numbers'
import { rememberKeys } from './promoted/promoted-keys'

/** What installs changed, which their rollback needs. */
const UNDO: Kept = {
  name: 'rollbacks',
  title: 'Rollbacks of plugins',
  tables: ['plugin_changes', 'plugin_definition_changes'],
  at: null,
  settings: ['PLUGIN_UNDO_INSTALLS', 'PLUGIN_UNDO_DAYS'],
  rule: ({ PLUGIN_UNDO_INSTALLS, PLUGIN_UNDO_DAYS }) =>
    `${daysOf(PLUGIN_UNDO_DAYS)}, the last ${PLUGIN_UNDO_INSTALLS} installs of each plugin`,
}

/**
 * Remembers what plugins gave, so that a new version is merged with what was changed here, and what each install
 * changed, so that it can be rolled back. Without it an install replaces what is stored by what the archive has.
 */
export const lifeCycle: Layer = {
  name: 'life-cycle',
  around: {
    async registerPlugin(history, tx, next) {
      const { id } = history.manifest
      const before = await readDefinition(tx, 'plugin', [id])
      await next(history)
      await recordDefinition(tx, history.installId, 'plugin', id, before)
    },
    async loadInstalled(deps, { db, manifest, request }, next) {
      const all = await next(deps)
      // What is made here of what is installed says by itself what goes.
      const installed = request.isLocal ? { ...all, owned: [] } : all
      if (isEdited(manifest, request.isLocal)) return installed
      const local = (await localDefinitions(db)).filter(({ pluginId }) => pluginId === manifest.id)
      return local.length > 0 ? { ...installed, merged: mergeFiles(local, request) } : installed
    },
    installDefinition: installRecorded,
    async installData(context, db, next) {
      const file = await followedFile(db, context)
      const used = { ...context, file, renumbered: [] }
      const report = await next(used)
      await rememberKeys(db, used)
      return report
    },
    async checkRecords(context, checked) {
      const { db, entity } = checked
      const { rows, contents } = await ownNumbers(context, checked)
      if (context.created.has(entity.name)) return { rows, contents }
      return recallKeys(db, originOf(context), entity, rows, contents)
    },
    async beginWriting(context, target) {
      if (target.isPart) await requireSameNumbers(context, target)
      return mergingWriter(context, target)
    },
    async beginCopies(context, { tx, entity, group }) {
      const origin = originOf(context)
      await requireSameNumbers(context, { tx, entity })
      // Records that the file gave before get their former keys, and those that another one gave have its base.
      if (await gaveAny(tx, origin, entity, { isBefore: group !== undefined }))
        throw new NotInParts({ isForRecords: false })
      return (columns) => copiedRecorder(tx, { entity, origin, columns, group })
    },
    findTouched,
  },
  adds: {
    jobs: [{ name: 'sweep changes of plugins', intervalMs: 3_600_000, run: sweepChanges }],
    retention: [UNDO],
  },
}

type Run<P extends keyof Points> = NonNullable<NonNullable<Layer['around']>[P]>

/** Records what a definition was before, and the values of records that it changes. */
async function installRecorded(
  ...[context, { tx, definition }, next]: Parameters<Run<'installDefinition'>>
): ReturnType<Run<'installDefinition'>> {
  const { installId } = context
  const { kind, item } = definition
  const names = [item.name, ...(kind === 'entity' ? (definition.item.renamedFrom ?? []) : [])]
  const before = installId === null ? null : await readDefinition(tx, kind, names)
  const install = { installId: installId ?? 0, pluginId: context.pluginId }
  if (kind === 'schema') await recordConverted(tx, { ...install, installId }, definition.item)
  const keepGenerated =
    kind === 'schema'
      ? await recordGenerated(tx, install, definition.item)
      : kind === 'entity'
        ? await recordGeneratedIn(tx, install, definition.item)
        : null
  const outcome = await next(context)
  await keepGenerated?.()
  const isKept = installId !== null && (await keepAuthored(tx, context, definition, before))
  if (outcome.status !== 'unchanged' || isKept)
    await recordDefinition(tx, installId, kind, item.name, before)
  for (const former of outcome.followed ?? []) await recordFollowed(tx, installId, former)
  // What is remembered of an entity of this name that was removed for good; that of one in the trash was put aside.
  if (kind === 'entity' && outcome.status === 'created')
    await tx.delete(pluginRecords).where(eq(pluginRecords.entity, item.name))
  return outcome
}

/** Rows that the file gave before, as they are, are not written; what it gives no longer may be deleted. */
async function findTouched(
  ...[context, { tx, records }]: Parameters<Run<'findTouched'>>
): Promise<TouchedRecords> {
  const { entity, onDuplicate, areKeyed } = records
  const origin = originOf(context)
  const isKnown = onDuplicate === 'Upsert' && areKeyed && (await gaveRecords(tx, origin, entity))
  return {
    choose: isKnown ? async (rows) => (await divideRows(tx, entity, origin, rows)).changed : null,
    removed: (keys) => {
      const unlisted = unlistedKeys(entity, origin, keys.takeJson())
      return (table) => sql`${table} as t where ${keySql(entity, 't')} in (${unlisted})`
    },
  }
}

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
