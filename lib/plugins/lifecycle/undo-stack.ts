import type { InstallRow } from '@/lib/db/schema'

type Event = Pick<InstallRow, 'id' | 'kind' | 'rollbackOf'>

/**
 * The installs of a plugin that can be undone now, given all of its events in order: the last one in
 * effect, and a rollback if nothing came after it. Pure.
 */
export function undoable(events: readonly Event[]): number[] {
  const inEffect: number[] = []
  const undone = new Map<number, number>()
  for (const { id, kind, rollbackOf } of events) {
    if (kind === 'install') inEffect.push(id)
    if (kind === 'uninstall' || kind === 'restore') inEffect.length = 0
    if (kind !== 'rollback' || rollbackOf === null) continue
    const again = undone.get(rollbackOf)
    if (again === undefined) {
      undone.set(id, rollbackOf)
      if (inEffect.at(-1) === rollbackOf) inEffect.pop()
    } else inEffect.push(again)
  }
  const last = events.at(-1)
  const rollback = last?.kind === 'rollback' ? [last.id] : []
  return [...inEffect.slice(-1), ...rollback]
}
