import { sql } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { entities, entityTypes, policies, roles, schemas } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'

/** What installing a definition or a data file reads and writes beside the tables of entities. */
const REGISTRY = [entities, schemas, entityTypes, roles, policies]

/** Makes the registry in the schema that stands in its place. */
export async function copyRegistry(tx: Db, parked: string): Promise<void> {
  await tx.execute(sql`create collation engine.natural from ${sql.identifier(parked)}.natural`)
  for (const table of REGISTRY) {
    const name = sql.identifier(getTableConfig(table).name)
    const source = sql`${sql.identifier(parked)}.${name}`
    await tx.execute(sql`create table engine.${name} (like ${source} including all)`)
    await tx.execute(sql`insert into engine.${name} select * from ${source}`)
  }
}
