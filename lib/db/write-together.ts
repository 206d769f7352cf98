import { GroupedWork } from '@/lib/async/grouped-work'
import { currentBudget, withOwnBudget } from './budget'
import { databaseError, isUnavailable } from './errors'

/** What one request writes, as JSON text. `id`: of the record, where no other one in the same statement may be the same. */
export type SharedItem = { json: string; requestId: string; id?: string }

type Member = SharedItem & { deadline: number }
/** A text; null: nothing of it was written, and it must be written by itself. */
type Outcome = string | null
type Groups = Map<string, GroupedWork<Member, Outcome>>

const LIMITS = { maxItems: 64, waitLimitMs: 20 }
/** Longer ones are written alone, so that a group stays short. */
const MAX_CHARS = 16_000

// On `globalThis`: each route is a bundle with a copy of this module.
const shared = globalThis as typeof globalThis & { __engineWrites?: WeakMap<object, Groups> }
shared.__engineWrites ??= new WeakMap()
const groups = shared.__engineWrites

/**
 * Writes `item` together with those of other requests of the same `kind` that wait at the same time; `write` returns an outcome for
 * each, in order, or null when it wrote nothing. Returns null when nothing was written, since nothing else was waiting or the database refused the
 * statement. Throws when it is not known whether it was written. `owner`: whose groups they are.
 */
export async function writeTogether(
  owner: object,
  kind: readonly unknown[],
  item: SharedItem,
  write: (items: readonly SharedItem[]) => Promise<Outcome[] | null>,
): Promise<Outcome> {
  if (item.json.length > MAX_CHARS) return null
  const all: Groups = groups.get(owner) ?? new Map()
  groups.set(owner, all)
  const key = JSON.stringify(kind)
  const limits = item.id === undefined ? LIMITS : { ...LIMITS, apart: idOf }
  const group =
    all.get(key) ?? new GroupedWork<Member, Outcome>((members) => writeAll(members, write), limits)
  all.set(key, group)
  const { deadline, spent } = currentBudget()
  const startedAt = performance.now()
  try {
    const outcome = await group.add({ ...item, deadline })
    if (outcome !== null && spent) spent.dbMs += performance.now() - startedAt
    return outcome
  } finally {
    if (group.isIdle) all.delete(key)
  }
}

const idOf = ({ id }: SharedItem) => id

async function writeAll(
  members: Member[],
  write: (items: readonly SharedItem[]) => Promise<Outcome[] | null>,
): Promise<Outcome[]> {
  const alone = () => members.map(() => null)
  if (members.length < 2) return alone()
  const ms = Math.min(...members.map(({ deadline }) => deadline)) - performance.now()
  try {
    // Several requests wait for it, so the client of one must not end it.
    const { request } = currentBudget()
    const limits = ms === Infinity ? { request } : { request, ms: Math.max(0, ms) }
    return (await withOwnBudget(limits, () => write(members))) ?? alone()
  } catch (error) {
    // The database refused the statement, so nothing of it was written.
    if (databaseError(error) && !isUnavailable(error)) return alone()
    throw error
  }
}
