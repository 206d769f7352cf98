import 'server-only'
import { type SQL, sql } from 'drizzle-orm'
import { rows } from '@/lib/db/rows'
import { images } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Facet, ImageFacets } from './contract'

/** Values of one kind; beyond them the rarest are left out. */
const MAX_VALUES = 500

/** The folders, tags and formats there are, the most used first. */
export async function imageFacets(db: Db): Promise<ImageFacets> {
  const tag = sql`unnest(${images.tags})`
  return {
    folders: await countValues(db, sql`${images.folder}`),
    tags: await countValues(db, tag),
    formats: await countValues(db, sql`${images.format}`),
  }
}

const countValues = (db: Db, value: SQL): Promise<Facet[]> =>
  rows<Facet>(
    db,
    sql`select value, count(*)::int as count from (select ${value} as value from ${images}) as each
      group by value order by count desc, value limit ${MAX_VALUES}`,
  )
