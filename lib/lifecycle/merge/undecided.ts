import { MAX_DETAILS } from '@/lib/archives/plugin-file'
import type { RecordConflict } from '@/lib/db/schema'
import { type FaultGroup, type FileDetail, MAX_SHOWN } from '@/lib/definitions/definition-faults'
import { keysFilter, MAX_LISTED } from '@/lib/tables/contradiction-groups'
import { isObject, type Json } from '@/lib/values/json'

/** Most kinds of conflicts that are told apart. */
const MAX_KINDS = 50
export const CHOOSE = 'choose onConflict=keep or take'

type Kind = { change: RecordConflict['change']; message: string; total: number; keys: Json[] }

/** Conflicts of a file about which nothing was chosen, by what was changed on both sides. */
export class Undecided {
  count = 0
  /** The first 100. */
  readonly details: FileDetail[] = []
  private readonly kinds = new Map<string, Kind>()

  add(conflicts: readonly RecordConflict[]): void {
    for (const { key, change, fields } of conflicts) {
      this.count++
      const message = messageOf(change, fields)
      if (this.details.length < MAX_DETAILS) this.details.push({ key, message })
      const kind = this.kindOf(change, message)
      kind.total++
      if (kind.keys.length < MAX_LISTED) kind.keys.push(key)
    }
  }

  /** The largest first; `keys` are the fields of the entity's key. */
  groups({ name, keys }: { name: string; keys: readonly string[] }): FaultGroup[] {
    const groups = [...this.kinds.values()].map(({ change, message, total, keys: found }) => ({
      // What was deleted is stored no longer.
      entity: change === 'deleted' ? null : name,
      ...{ rule: 'conflict' as const, field: null, message, total, indexes: [] },
      keys: found.slice(0, MAX_SHOWN).map((key) => shownKey(keys, key)),
      filter: change === 'edited' && total <= found.length ? keysFilter(keys, found) : null,
    }))
    return groups.sort((a, b) => b.total - a.total)
  }

  private kindOf(change: RecordConflict['change'], told: string): Kind {
    const isOwn = this.kinds.has(told) || this.kinds.size < MAX_KINDS
    const message = isOwn ? told : `other fields changed here and in the plugin; ${CHOOSE}`
    const kind = this.kinds.get(message) ?? { change, message, total: 0, keys: [] }
    this.kinds.set(message, kind)
    return kind
  }
}

const messageOf = (change: RecordConflict['change'], fields: RecordConflict['fields']): string =>
  change === 'deleted'
    ? `deleted here and changed by the plugin; ${CHOOSE}`
    : `${fields.map(({ field }) => `"${field}"`).join(', ')} changed here and in the plugin; ${CHOOSE}`

/** A `persistenceId` as people read it: of several fields their values, unless one of them would be rounded. */
function shownKey(fields: readonly string[], id: Json): Json {
  if (fields.length === 1 || typeof id !== 'string') return id
  try {
    const key = JSON.parse(Buffer.from(id, 'base64url').toString()) as Json
    const isExact = (value: Json) => typeof value !== 'number' || Number.isSafeInteger(value)
    return isObject(key) && Object.values(key).every(isExact) ? key : id
  } catch {
    return id
  }
}
