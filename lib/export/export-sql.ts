import { type SQL, sql } from 'drizzle-orm'
import type { CopyQuery } from '@/lib/db/copy-out'
import type { SearchTarget } from '@/lib/registry/target'
import { orderSql } from '@/lib/search/order'
import { recordJson } from '@/lib/search/record-json'
import type { ResolvedSearch } from '@/lib/search/resolved'
import { fromSql } from '@/lib/search/sql-terms'
import { readsNodes } from '@/lib/search/tables-read'
import { whereSql } from '@/lib/search/to-sql'
import type { ExportFormat } from './contract'
import { csvCell } from './csv'
import type { ExportColumn } from './export-columns'
import { xlsxCell } from './xlsx'

/** Every match in the order of the search, as the cells or texts of a format. */
export function exportSql(
  target: SearchTarget,
  search: ResolvedSearch,
  columns: readonly ExportColumn[],
  format: ExportFormat,
): CopyQuery {
  if (format === 'json')
    return {
      query: selection(target, search, [recordJson(target, search.fields)]),
      width: 1,
      format: 'json',
    }
  const cell = format === 'csv' ? csvCell : xlsxCell
  return {
    query: selection(target, search, columns.map(cell)),
    width: columns.length,
    format: format === 'csv' ? 'csv' : 'text',
  }
}

function selection(
  target: SearchTarget,
  { where, sort, joins }: ResolvedSearch,
  values: SQL[],
): SQL {
  const order = orderSql(target, sort)
  // Nodes of a cluster sort where they format: what is sorted below would be merged in any order.
  if (readsNodes(target, { joins })) {
    const cells = values.map((value, at) => sql`${value} as ${sql.identifier(`$c${at}`)}`)
    return sql`select ${sql.join(cells, sql`, `)} from ${fromSql(target, joins)} where ${whereSql(where)} order by ${order}`
  }
  const named = values.map((value, at) => sql`${value} as ${sql.identifier(`c${at}`)}`)
  // Sorted below the formatting, where an index can provide the order and `c0` is no field's name.
  return sql`
    select ${sql.join(named, sql`, `)} from (
      select * from ${fromSql(target, joins)} where ${whereSql(where)} order by ${order}
    ) as "$row"`
}
