import type { Db } from '@/lib/db/types'
import { loadEntities } from '@/lib/registry/registry'
import { loadTypes } from '@/lib/registry/registry-rows'
import type { Installed } from './plan-install'

/** The part of the database's state that planning needs. */
export const loadInstalled = async (db: Db): Promise<Installed> => ({
  entities: await loadEntities(db),
  types: await loadTypes(db),
})
