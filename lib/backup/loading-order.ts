import type { Client } from 'pg'
import type { OwnTable } from './list-tables'
import { REFERENCES } from './structure-queries'

/**
 * Tables so that each comes after those that it refers to. Only the references among the engine's own tables
 * exist while rows are loaded, and they have no cycles; tables of entities may, and come in any order.
 */
export async function inLoadingOrder(
  client: Client,
  tables: readonly OwnTable[],
): Promise<OwnTable[]> {
  const oids = tables.map(({ oid }) => oid)
  const { rows } = await client.query<{ from: string; to: string }>(REFERENCES, [oids])
  const targets = new Map<string, string[]>()
  for (const { from, to } of rows) targets.set(from, [...(targets.get(from) ?? []), to])
  const byOid = new Map(tables.map((table) => [table.oid, table]))
  const ordered = new Set<OwnTable>()
  const visited = new Set<string>()
  const visit = (oid: string) => {
    if (visited.has(oid)) return
    visited.add(oid)
    for (const target of targets.get(oid) ?? []) visit(target)
    const table = byOid.get(oid)
    if (table) ordered.add(table)
  }
  for (const { oid } of tables) visit(oid)
  return [...ordered]
}
