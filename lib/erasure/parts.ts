import type { ErasedPart } from './contract'

/** One part for each table to which something happened. */
export function together(parts: readonly ErasedPart[]): ErasedPart[] {
  const all = new Map<string, ErasedPart>()
  for (const { table, deleted, changed } of parts) {
    const known = all.get(table) ?? { table, deleted: 0, changed: 0 }
    all.set(table, { table, deleted: known.deleted + deleted, changed: known.changed + changed })
  }
  return [...all.values()].filter(({ deleted, changed }) => deleted + changed > 0)
}

/** The numbers alone, for the audit log. */
export const countsOf = (parts: readonly ErasedPart[]) =>
  Object.fromEntries(parts.map(({ table, deleted, changed }) => [table, { deleted, changed }]))
