import { asc, count, desc, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { images } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Facet, ImageFacets } from './contract'

/** The most values of one kind; the rarest are omitted. */
const MAX_VALUES = 500

/** The folders, tags and formats there are, the most used first. */
export async function imageFacets(db: Db): Promise<ImageFacets> {
  return {
    folders: await countValues(db, images.folder),
    tags: await countValues(db, sql`unnest(${images.tags})`),
    formats: await countValues(db, images.format),
  }
}

function countValues(db: Db, value: PgColumn | SQL): Promise<Facet[]> {
  const each = db
    .select({ value: sql<string>`${value}`.as('value') })
    .from(images)
    .as('each')
  return db
    .select({ value: each.value, count: count() })
    .from(each)
    .groupBy(each.value)
    .orderBy(desc(count()), asc(each.value))
    .limit(MAX_VALUES)
}
