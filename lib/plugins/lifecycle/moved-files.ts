import { sql } from 'drizzle-orm'
import type { PlannedFile } from '@/lib/archives/plugin-file'
import { rows } from '@/lib/db/rows'
import { pluginRecords } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { pathIn } from './origin'
import { gaveRecords } from './recall-keys'

/** Files that the archive no longer has, whose records without a key are in none that is known. */
type Lost = { paths: string[]; records: number }

/** `from`: the path that a data file had before. `lost`: told with the first file that they may be in. */
export type Moved = { from: string | null; lost: Lost | null }

type Found = { pairs: ReadonlyMap<string, string>; unpaired: string | null; lost: Lost | null }

const STAYED: Moved = { from: null, lost: null }

/**
 * Tells which data files of an archive are former ones by another path, as the folders of entities with another name are. It is
 * found out for an entity before the first of its new files is written.
 */
export class MovedFiles {
  private readonly found = new Map<string, Found>()

  constructor(private readonly files: readonly PlannedFile[]) {}

  async of(db: Db, pluginId: string, file: PlannedFile): Promise<Moved> {
    const name = file.target ?? ''
    const path = pathIn(file)
    const known = this.found.get(name)
    if (!known && (await gaveRecords(db, { pluginId, path }, { name }))) return STAYED
    const { pairs, unpaired, lost } = known ?? (await this.find(db, pluginId, name))
    return { from: pairs.get(path) ?? null, lost: path === unpaired ? lost : null }
  }

  private async find(db: Db, pluginId: string, entity: string): Promise<Found> {
    const given = await rows<{ path: string; records: number }>(
      db,
      sql`select p.path, count(p.content)::int as records from ${pluginRecords} as p
        where p.plugin_id = ${pluginId}::text and p.entity = ${entity}::text group by 1 order by 1`,
    )
    const present = this.files.filter(({ target }) => target === entity).map(pathIn)
    const fresh = present.filter((path) => given.every((one) => one.path !== path))
    const gone = given.filter(({ path }) => !present.includes(path))
    const pairs = pairPaths(
      fresh,
      gone.map(({ path }) => path),
    )
    const taken = new Set(pairs.values())
    const left = gone.filter(({ path, records }) => records > 0 && !taken.has(path))
    const lost = {
      paths: left.map(({ path }) => path),
      records: left.reduce((sum, { records }) => sum + records, 0),
    }
    const unpaired = fresh.find((path) => !pairs.has(path)) ?? null
    const found = { pairs, unpaired, lost: left.length > 0 ? lost : null }
    this.found.set(entity, found)
    return found
  }
}

/**
 * Pairs each new path with the one that it was: with the same name, and with the same folders above it as far as several have that
 * name. Files by another name are not taken for each other: an archive may bring a further part of what there is.
 */
export function pairPaths(
  fresh: readonly string[],
  gone: readonly string[],
): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>()
  let [to, from] = [[...fresh], [...gone]]
  const longest = Math.max(0, ...[...fresh, ...gone].map((path) => path.split('/').length))
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
