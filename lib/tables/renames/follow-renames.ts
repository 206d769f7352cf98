import type { Db } from '@/lib/db/types'
import { followPluginRecords } from '../follow-plugin-records'
import type { TableChange } from '../plan-change'
import { followKeys, followPolicies } from './follow-access'
import { followDistributions } from './follow-distributions'
import { followReferences } from './follow-references'
import { followShapes } from './follow-shapes'
import { followTrash } from './follow-trash'
import { followViews } from './follow-views'
import { renamer } from './renamed-table'

/** The names of an entity and its fields, before and after. */
export type Renamed = {
  from: string
  to: string
  fields: readonly { from: string; to: string }[]
  /** The present name of a field. */
  nameOf: (field: string) => string
}

/** How much of one kind was changed, in words: `saved view`, 2. */
export type Followed = { what: string; count: number }

/**
 * Changes what names an entity or a field of it by its former name: references of other entities,
 * their distributions, the trash, saved views, policies and scopes of API keys. The registry must
 * hold the new names. Returns notes about it. Audit log and history keep the names of their time.
 */
export async function followRenames(tx: Db, changes: readonly TableChange[]): Promise<string[]> {
  const notes: string[] = []
  for (const { after, renames } of changes) {
    if (!renames) continue
    const { formerName: from, fields } = renames
    const renamed = { from, to: after.name, fields, nameOf: renamer(fields) }
    const followed: Followed[] = []
    for (const follow of from === after.name ? BY_FIELD : [...BY_FIELD, ...BY_ENTITY])
      followed.push(await follow(tx, renamed))
    const text = textOf(followed)
    if (text) notes.push(`Changed to the new names of ${after.name} too: ${text}`)
  }
  return notes
}

type Follow = (tx: Db, renamed: Renamed) => Promise<Followed>

const BY_FIELD: readonly Follow[] = [
  followReferences,
  followViews,
  followTrash,
  followShapes,
  followPluginRecords,
]
const BY_ENTITY: readonly Follow[] = [followDistributions, followPolicies, followKeys]

const textOf = (followed: readonly Followed[]): string =>
  followed
    .filter(({ count }) => count > 0)
    .map(({ what, count }) => (count === 1 ? `1 ${what}` : `${count} ${plural(what)}`))
    .join(', ')

const plural = (what: string) =>
  what.endsWith('y') ? `${what.slice(0, -1)}ies` : what.endsWith('ch') ? `${what}es` : `${what}s`
