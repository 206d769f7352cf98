import { sql } from 'drizzle-orm'
import { type Db, one, rows, tableSql } from '@/lib/db/sql'
import type { EntityDefinition } from '@/lib/definitions/definition'
import { DefinitionError, fault } from '@/lib/definitions/definition-faults'
import { entityNamed, type RegistryRow } from '@/lib/registry/registry-rows'
import type { DdlStep } from '../ddl-step'
import { dropEntity } from '../drop-entity'
import { lockEntities } from '../lock-entities'

/**
 * The installed entity whose table and records a definition takes over; null when it names none that
 * exists, or only an empty one beside `found`. Throws `Incompatible change` when both have records.
 */
export async function formerEntity(
  tx: Db,
  { name, renamedFrom = [] }: EntityDefinition,
  found: RegistryRow | undefined,
): Promise<RegistryRow | null> {
  for (const formerName of renamedFrom) {
    const former = (await entityNamed(tx, formerName)).find(({ row }) => row.name === formerName)
    if (!former) continue
    if (!found || found.row.name === formerName) return former
    const [had, has] = [await countRecords(tx, former), await countRecords(tx, found)]
    if (had === 0) return null
    if (has === 0) return former
    const message = `${formerName} has ${records(had)} and ${name} has ${records(has)}, so ${name} cannot take over those of ${formerName}; empty one of them, or leave out renamedFrom`
    throw new DefinitionError('Incompatible change', [fault('/renamedFrom', message, formerName)])
  }
  return null
}

async function countRecords(tx: Db, { row }: RegistryRow): Promise<number> {
  const table = tableSql({ schema: row.tableSchema, name: row.tableName })
  const query = sql`select count(*)::float8 as total from ${table}`
  return one(await rows<{ total: number }>(tx, query)).total
}

const records = (count: number) => (count === 1 ? '1 record' : `${count} records`)

/** Removes an empty entity, whose name another one takes. Other names of the same entity stay. */
export async function dropEmpty(tx: Db, found: RegistryRow): Promise<DdlStep[]> {
  const { name } = found.row
  const [locked] = await lockEntities(tx, () => entityNamed(tx, name))
  if (!locked) return []
  if ((await countRecords(tx, locked)) > 0) {
    const message = `${name} has got records meanwhile; install the archive again`
    throw new DefinitionError('Incompatible change', [fault('/renamedFrom', message)])
  }
  return dropEntity(tx, locked)
}
