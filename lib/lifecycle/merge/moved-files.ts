import { sql } from 'drizzle-orm'
import type { PlannedFile } from '@/lib/archives/plugin-file'
import { pluginRecords } from '@/lib/db/schema'
import { type Db, rows } from '@/lib/db/sql'
import { mayReveal } from '@/lib/installs/installer-rights'
import type { DataContext } from '@/lib/installs/points'
import { pathIn } from '../base/record-sql'
import { gaveRecords } from './recall-keys'

/** Files that the archive no longer has, whose records without a key are in none that is known. */
type Lost = { paths: string[]; records: number }

/** What is known of the new files of an entity: new path → former path. `unpaired`: the first without a former one. */
type Moves = { pairs: ReadonlyMap<string, string>; unpaired: string | null; lost: Lost | null }

/** By the files of a plan, then by entity: found out before the first new file of an entity is written. */
const known = new WeakMap<readonly PlannedFile[], Map<string, Moves>>()

/**
 * The data file with its former path, if it is a former one by another path, as in the folders of entities with another name.
 * Warns of records that would be recognised by paths that are not known.
 */
export async function followedFile(db: Db, context: DataContext): Promise<PlannedFile> {
  const { file, pluginId, files, created } = context
  const name = file.target ?? ''
  // No file gave records of it before this install.
  if (created.has(name)) return { ...file, formerPath: null }
  const path = pathIn(file)
  const moves = known.get(files) ?? new Map<string, Moves>()
  known.set(files, moves)
  if (!moves.has(name) && (await gaveRecords(db, { pluginId, path }, { name }))) return file
  const found = moves.get(name) ?? (await findMoves(db, pluginId, name, files))
  moves.set(name, found)
  const formerPath = found.pairs.get(path) ?? null
  if (!found.lost || path !== found.unpaired) return { ...file, formerPath }
  const { paths, records } = found.lost
  const count = mayReveal(context, name) ? `${records} records` : 'records'
  const message = `The archive no longer has ${paths.join(', ')}, which gave ${count} without a key. They are not recognised in another file: those that are given again are created beside them`
  return { ...file, formerPath, warnings: [...file.warnings, { message }] }
}

async function findMoves(
  db: Db,
  pluginId: string,
  entity: string,
  files: readonly PlannedFile[],
): Promise<Moves> {
  const former = await rows<{ path: string; records: number }>(
    db,
    sql`select p.path, count(p.content)::int as records from ${pluginRecords} as p
      where p.plugin_id = ${pluginId}::text and p.entity = ${entity}::text group by 1 order by 1`,
  )
  const present = files.filter(({ target }) => target === entity).map(pathIn)
  const fresh = present.filter((path) => former.every((one) => one.path !== path))
  const removed = former.filter(({ path }) => !present.includes(path))
  const pairs = pairPaths(
    fresh,
    removed.map(({ path }) => path),
  )
  const taken = new Set(pairs.values())
  const left = removed.filter(({ path, records }) => records > 0 && !taken.has(path))
  const lost = {
    paths: left.map(({ path }) => path),
    records: left.reduce((sum, { records }) => sum + records, 0),
  }
  const unpaired = fresh.find((path) => !pairs.has(path)) ?? null
  return { pairs, unpaired, lost: left.length > 0 ? lost : null }
}

/**
 * Pairs each new path with the one that it was: with the same name, and with the same folders above it as far as several have that
 * name. Files by another name are not taken for each other: an archive may bring a further part of what there is.
 */
export function pairPaths(
  fresh: readonly string[],
  removed: readonly string[],
): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>()
  let [to, from] = [[...fresh], [...removed]]
  const longest = Math.max(0, ...[...fresh, ...removed].map((path) => path.split('/').length))
  for (let parts = longest; parts > 0; parts--) {
    const [byEnd, formerByEnd] = [groupByEnd(to, parts), groupByEnd(from, parts)]
    for (const [end, [path, ...others]] of byEnd) {
      const [former, ...rivals] = formerByEnd.get(end) ?? []
      if (path && former && others.length + rivals.length === 0) pairs.set(path, former)
    }
    const taken = new Set(pairs.values())
    to = to.filter((path) => !pairs.has(path))
    from = from.filter((path) => !taken.has(path))
  }
  return pairs
}

function groupByEnd(paths: readonly string[], parts: number): ReadonlyMap<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const path of paths) {
    const end = path.split('/').slice(-parts).join('/')
    groups.set(end, [...(groups.get(end) ?? []), path])
  }
  return groups
}
